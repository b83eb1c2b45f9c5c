//! The address of an object: the connected store, and the path of the object there.

use std::io::ErrorKind;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::list::PaginatedListStore;
use object_store::path::Path;

use super::connect::{ConnectedStore, connect};
use super::explain::explain;
use super::keys;
use crate::store::{RequestFailure, Url, UrlScheme};

/// An object's store and path. The object may not exist.
#[derive(Clone)]
pub(in crate::store) struct Object {
    pub(super) store: Arc<dyn ObjectStore>,
    /// Lists objects by any prefix of their keys; `None` for a web server.
    pub(super) lister: Option<Arc<dyn PaginatedListStore>>,
    pub(super) path: Path,
}

impl Object {
    pub(in crate::store) fn connect(url: &Url) -> Result<Object, RequestFailure> {
        let path = match url.scheme() {
            UrlScheme::Http => Path::default(),
            _ => path_from_key(url.key())?,
        };
        let ConnectedStore { store, lister } = connect(url)?;
        Ok(Object {
            store,
            lister,
            path,
        })
    }
}

const DOTS_MESSAGE: &str = "no program can request a key with the segment . or .., which every URL leaves out: \
                    copy the object to another key with the tools of the store";

/// Converts an object's key to a path of `object_store`. The key is neither decoded nor normalised.
pub(super) fn path_from_key(key: &str) -> Result<Path, RequestFailure> {
    if keys::has_dots(key) {
        return Err(RequestFailure::new(ErrorKind::InvalidInput, DOTS_MESSAGE));
    }
    Path::parse(keys::path_from_key(key)).map_err(|error| explain(&error.into()))
}
