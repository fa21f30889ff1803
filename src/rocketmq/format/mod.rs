//! What the bytes of a RocketMQ store mean. No decision of the broker is here: those stand in the files beside this folder.

pub mod batch_queue;
pub mod checkpoint;
pub mod consume_queue;
pub mod delay_offset;
pub mod dledger;
pub mod index_file;
pub mod message;
pub mod queue_ext;
pub mod timer;
