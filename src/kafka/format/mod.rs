//! What the bytes of Kafka's files mean. Nothing here decides anything.

pub mod batch;
pub mod checkpoint;
pub mod compression;
pub mod group_record;
pub mod index;
pub mod legacy;
pub mod metadata_record;
pub mod record;
pub mod schema;
pub mod snapshot;
pub mod varint;
