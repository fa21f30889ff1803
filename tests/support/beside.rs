//! A sound store with something beside it that a start is not followed through, made of bytes as the broker writes them.

use super::case::Unpacked;

/// What lies there, and the finding that tells it.
pub type Made = (&'static str, &'static str, Vec<u8>);

fn put(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn batch_unit(offset: i64, base: i64, count: i16) -> Vec<u8> {
    put(&[
        &offset.to_be_bytes(),
        &222i32.to_be_bytes(),
        &0i64.to_be_bytes(),
        &1_700_000_000_000i64.to_be_bytes(),
        &base.to_be_bytes(),
        &count.to_be_bytes(),
        &[0; 8],
    ])
}

pub fn extension_unit(tags_code: i64) -> Vec<u8> {
    put(&[
        &20i16.to_be_bytes(),
        &tags_code.to_be_bytes(),
        &1_700_000_000_000i64.to_be_bytes(),
        &0i16.to_be_bytes(),
    ])
}

fn dledger_entry(index: i64, pos: i64, body: &[u8]) -> Vec<u8> {
    put(&[
        &1i32.to_be_bytes(),
        &(48 + body.len() as i32).to_be_bytes(),
        &index.to_be_bytes(),
        &1i64.to_be_bytes(),
        &pos.to_be_bytes(),
        &[0; 12],
        &(body.len() as i32).to_be_bytes(),
        body,
    ])
}

/// One of each kind.
pub fn each() -> Vec<Made> {
    let mut batch = put(&[&batch_unit(0, 0, 3), &batch_unit(222, 3, 4)]);
    batch.resize(460, 0);
    let mut ext = put(&[&extension_unit(5), &extension_unit(6)]);
    ext.resize(400, 0);
    let mut dledger = put(&[&dledger_entry(0, 0, b"ab"), &dledger_entry(1, 50, b"cde")]);
    dledger.resize(4096, 0);
    let manifest = b"MANIFEST-000004\n".to_vec();
    vec![
        (
            "beside-rocksdb-too",
            "consumequeue/CURRENT",
            manifest.clone(),
        ),
        (
            "beside-rocksdb-too",
            "consumequeue_rocksdb/CURRENT",
            manifest.clone(),
        ),
        ("beside-rocksdb", "rocksdbstore/CURRENT", manifest),
        (
            "beside-batch-queues",
            "batchconsumequeue/Batched/0/00000000000000000000",
            batch,
        ),
        (
            "beside-extension",
            "consumequeue_ext/TopicA/0/00000000000000000000",
            ext,
        ),
        (
            "beside-dledger",
            "dledger-n0/data/00000000000000000000",
            dledger,
        ),
        ("beside-timer", "timerwheel", vec![0; 38_707_200]),
        ("timer-wheel-length", "timerwheel", vec![0; 64]),
        (
            "beside-compaction",
            "compaction/compactionLog/Kept/0/00000000000000000000",
            vec![1; 64],
        ),
        (
            "beside-tiered",
            "config/tieredStoreMetadata.json",
            b"{}".to_vec(),
        ),
    ]
}

/// Without a file of units.
pub fn take_queues(store: &mut Unpacked) {
    store
        .files
        .retain(|path, _| !path.starts_with("consumequeue/"));
}
