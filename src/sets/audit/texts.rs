//! Writes the texts of an audit: counts as JSON, dataset card, picture, page, and commands.

use arrow::datatypes::SchemaRef;

use super::files::AuditFileNames;
use crate::carry::type_name;
use crate::error::Error;
use crate::report::AuditFindings;
use crate::report::page::{audit_card, audit_page, audit_picture, script};
use crate::write::FilesFolder;

/// Adds the texts to the folder.
pub(super) fn add_texts(
    folder: &mut FilesFolder,
    names: &AuditFileNames,
    schema: &SchemaRef,
    found: &AuditFindings,
) -> Result<(), Error> {
    let fields: Vec<(String, String)> = (schema.fields().iter())
        .map(|field| (field.name().clone(), type_name(field.data_type())))
        .collect();
    let json = format!("{:#}\n", found.to_json());
    folder.add_bytes(&names.json_name, json.as_bytes())?;
    folder.add_bytes(&names.picture_name, audit_picture(found)?.as_bytes())?;
    let card = audit_card(found, &names.picture_name, &fields);
    folder.add_bytes(&names.card_name, card.as_bytes())?;
    folder.add_bytes(&names.page_name, audit_page(found)?.as_bytes())?;
    folder.add_bytes(&names.steps_name, script(found).as_bytes())
}
