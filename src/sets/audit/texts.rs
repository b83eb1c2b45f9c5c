//! Writes the texts of an audit: counts as JSON, dataset card, picture, page, and commands.

use arrow::datatypes::SchemaRef;

use super::files::FileNames;
use crate::carry::type_name;
use crate::error::Error;
use crate::report::AuditFindings;
use crate::report::page::{audit_card, audit_page, audit_picture, script};
use crate::write::FilesFolder;

/// Adds the texts to the folder.
pub(super) fn add(
    folder: &mut FilesFolder,
    names: &FileNames,
    schema: &SchemaRef,
    found: &AuditFindings,
) -> Result<(), Error> {
    let fields: Vec<(String, String)> = (schema.fields().iter())
        .map(|field| (field.name().clone(), type_name(field.data_type())))
        .collect();
    let json = format!("{:#}\n", found.to_json());
    folder.add_bytes(&names.json, json.as_bytes())?;
    folder.add_bytes(&names.picture, audit_picture(found)?.as_bytes())?;
    let card = audit_card(found, &names.picture, &fields);
    folder.add_bytes(&names.card, card.as_bytes())?;
    folder.add_bytes(&names.page, audit_page(found)?.as_bytes())?;
    folder.add_bytes(&names.steps, script(found).as_bytes())
}
