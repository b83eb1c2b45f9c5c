//! The files of an audit: the cleaned datasets, the removed rows, the rejects, and texts about them.

use std::path::PathBuf;

use arrow::datatypes::SchemaRef;
use serde_json::Value;

use super::Audit;
use super::removed::RemovedColumns;
use crate::carry::type_name;
use crate::counts::{AuditFindings, SetFindings};
use crate::error::Error;
use crate::table::layout::{CopiedColumn, Layout};
use crate::write::rejects::RejectsWriter;
use crate::write::{
    Compression, FilesFolder, FolderKind, Holds, OutputFormat, OutputSet, Table, TableFiles,
    TableFolder, TableKind, TableMetadata, TableWriter, TargetOptions,
};

/// The output folder of an audit, and the columns of its tables.
pub struct AuditLayout {
    /// The folder, and the format of the cleaned datasets.
    pub folder: TableFolder,
    /// The columns that the job computes. They are those of the cleaned datasets, and the grades, which are counted
    /// even if they are not written.
    pub filled_layout: Layout,
    /// The columns of the cleaned datasets.
    pub written_layout: Layout,
    /// Makes the texts about the audit from its results; `None` to write neither texts nor the results as JSON.
    pub make_texts: Option<MakeAuditTexts>,
}

impl AuditLayout {
    /// The names and the types of the columns of the cleaned datasets.
    pub fn written_fields(&self) -> Vec<(String, String)> {
        fields_of(self.written_layout.schema())
    }
}

fn fields_of(schema: &SchemaRef) -> Vec<(String, String)> {
    let fields = schema.fields().iter();
    fields
        .map(|field| (field.name().clone(), type_name(field.data_type())))
        .collect()
}

/// Makes the texts about an audit from its results.
pub type MakeAuditTexts = fn(&AuditFindings, &AuditTextContext<'_>) -> Result<AuditTexts, Error>;

/// What texts about an audit say of its output folder.
pub struct AuditTextContext<'a> {
    /// The name of the file with the picture.
    pub picture_name: &'a str,
    /// The names and the types of the columns of the cleaned datasets.
    pub fields: &'a [(String, String)],
    /// The columns that are copied from the inputs.
    pub copied_columns: &'a [CopiedColumn],
}

/// The texts about an audit, which are files of its output folder.
pub struct AuditTexts {
    /// The dataset card, in Markdown, which shows the picture.
    pub card: String,
    /// The picture of the dataset card, as SVG.
    pub picture: String,
    /// The page about the audit, as HTML.
    pub page: String,
    /// The commands that repeat the steps of the audit, as a shell script.
    pub commands: String,
}

/// The output folder, and the open tables in it.
pub(super) struct AuditFiles {
    folder: FilesFolder,
    pub(super) names: AuditFileNames,
    /// The tables of the cleaned datasets.
    pub(super) set_tables: Vec<TableWriter>,
    pub(super) schema: SchemaRef,
    /// The columns that are copied from the inputs.
    copied_columns: Vec<CopiedColumn>,
    pub(super) removed_table: TableWriter,
    pub(super) rejects_writer: RejectsWriter,
    make_texts: Option<MakeAuditTexts>,
}

/// The names of the files in the output folder of an audit.
pub(super) struct AuditFileNames {
    pub(super) set_names: Vec<String>,
    pub(super) removed_name: String,
    pub(super) rejects_name: String,
    pub(super) json_name: String,
    pub(super) card_name: String,
    pub(super) picture_name: String,
    pub(super) page_name: String,
    pub(super) steps_name: String,
}

impl AuditFiles {
    pub(super) fn open(
        audit: &Audit,
        layout: &AuditLayout,
        removed_columns: &RemovedColumns,
        metadata: &TableMetadata,
        group_bytes: Option<usize>,
    ) -> Result<AuditFiles, Error> {
        let AuditLayout { folder: to, .. } = layout;
        let format = to.format;
        // A format that only holds grids cannot store reasons. The table of removed rows is then written in another
        // format.
        let (removed_format, removed_compression) = match format.holds {
            Holds::Table => (format, to.compression),
            Holds::Grids | Holds::Puzzles => (OutputFormat::CSV, Compression::None),
        };
        let removed_ending = format!(
            "{}{}",
            removed_format.extension(),
            removed_compression.ending()
        );
        let names: Vec<&str> = audit.sets.iter().map(|set| set.name.as_str()).collect();
        let (folder, names, others) = FilesFolder::open(
            &to.path,
            FolderKind::Audit,
            to.overwrite,
            &TableFiles {
                names: &names,
                format,
                compression: to.compression,
            },
            &[
                ("_removed", removed_ending.as_str()),
                ("_rejects", "csv"),
                ("_audit", "json"),
                ("README", "md"),
                ("_charts", "svg"),
                ("_report", "html"),
                ("_commands", "sh"),
            ],
        )?;
        let [removed_name, rejects_name, json, card, picture, page, steps] =
            <[String; 7]>::try_from(others)
                .map_err(|_| Error::Internal("a file has no name".into()))?;
        let names = AuditFileNames {
            set_names: names,
            removed_name,
            rejects_name,
            json_name: json,
            card_name: card,
            picture_name: picture,
            page_name: page,
            steps_name: steps,
        };
        let new_table = |name: &str, format: OutputFormat, compression: Compression| Table {
            path: Some(folder.staged_path(name)),
            format,
            compression,
            options: TargetOptions { overwrite: true },
        };
        let schema = layout.written_layout.schema().clone();
        let mut tables = Vec::with_capacity(names.set_names.len());
        for name in &names.set_names {
            let set_table = new_table(name, format, to.compression);
            let kind = TableKind::from_table(&set_table, &schema, metadata)?;
            let mut writer = folder.start_table(name, &kind)?;
            if let Some(bytes) = group_bytes {
                writer.shrink_groups(bytes / names.set_names.len().max(1));
            }
            tables.push(writer);
        }
        let removed_table = new_table(&names.removed_name, removed_format, removed_compression);
        let removed_table =
            removed_columns.start_table(&folder, &names.removed_name, &removed_table, metadata)?;
        let rejects = new_table(&names.rejects_name, OutputFormat::CSV, Compression::None);
        let rejects = RejectsWriter::from_part(rejects, metadata.clone());
        Ok(AuditFiles {
            folder,
            names,
            set_tables: tables,
            copied_columns: layout.written_layout.copied_columns(),
            schema,
            removed_table,
            rejects_writer: rejects,
            make_texts: layout.make_texts,
        })
    }

    /// The table with this number: those of the cleaned datasets, then that of the removed rows.
    pub(super) fn table_mut(&mut self, number: usize) -> Option<&mut TableWriter> {
        if number == self.set_tables.len() {
            return Some(&mut self.removed_table);
        }
        self.set_tables.get_mut(number)
    }

    /// Finishes the tables, and writes the texts about the audit. `json` are its results as JSON.
    pub(super) fn finish(
        mut self,
        audit: Audit,
        audit_findings: &AuditFindings,
        json: Value,
        set: &mut OutputSet,
    ) -> Result<(), Error> {
        let texts = self.texts(audit_findings)?;
        for ((name, table), findings) in self
            .names
            .set_names
            .iter()
            .zip(self.set_tables)
            .zip(&audit_findings.sets)
        {
            self.folder.add_table(name, table, findings.kept)?;
        }
        let removed_rows = audit_findings
            .sets
            .iter()
            .map(SetFindings::all_removed)
            .sum();
        let name = &self.names.removed_name;
        self.folder
            .add_table(name, self.removed_table, removed_rows)?;
        let rejected = audit_findings.sets.iter().map(|set| set.rejected).sum();
        if let Some(target) = self.rejects_writer.finish_part()? {
            self.folder
                .add_file(&self.names.rejects_name, target, rejected)?;
        }
        if let Some(texts) = texts {
            let text = serde_json::to_string_pretty(&json)? + "\n";
            self.folder
                .add_bytes(&self.names.json_name, text.as_bytes())?;
            for (name, text) in [
                (&self.names.picture_name, texts.picture),
                (&self.names.card_name, texts.card),
                (&self.names.page_name, texts.page),
                (&self.names.steps_name, texts.commands),
            ] {
                self.folder.add_bytes(name, text.as_bytes())?;
            }
        }
        let mut metadata = audit.about;
        metadata.insert("version".into(), crate::VERSION.into());
        metadata.insert("audit".into(), json);
        self.folder.finish(metadata, set)
    }

    /// The texts about the audit, without the counts as JSON; `None` if none are written.
    fn texts(&self, audit_findings: &AuditFindings) -> Result<Option<AuditTexts>, Error> {
        let Some(make_texts) = self.make_texts else {
            return Ok(None);
        };
        let context = AuditTextContext {
            picture_name: &self.names.picture_name,
            fields: &fields_of(&self.schema),
            copied_columns: &self.copied_columns,
        };
        make_texts(audit_findings, &context).map(Some)
    }

    /// Ends a failed run. If it failed because of its rejects, the rejects are kept, and their path is returned.
    pub(super) fn abandon(mut self, rejected: u64, why: &Error) -> Option<PathBuf> {
        drop(self.set_tables);
        let mut kept_rejects = Vec::new();
        if why.keeps_rejects()
            && let Ok(Some(target)) = self.rejects_writer.finish_part()
            && self
                .folder
                .add_file(&self.names.rejects_name, target, rejected)
                .is_ok()
        {
            kept_rejects.extend(self.folder.files().last().cloned());
        }
        self.folder.abandon(&kept_rejects)
    }
}
