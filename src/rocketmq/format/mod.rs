//! What the bytes of a RocketMQ store mean. No decision of the broker is here: those stand in the files beside this folder.

pub mod checkpoint;
pub mod consume_queue;
pub mod delay_offset;
pub mod index_file;
pub mod message;
