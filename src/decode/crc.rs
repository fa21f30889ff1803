//! Checksums over a span, as the brokers compute them.

/// `UtilAll.crc32`: CRC-32 (IEEE) with the top bit cleared, since RocketMQ keeps it in a Java `int`.
pub fn rocketmq_crc32(bytes: &[u8]) -> u32 {
    crc32(bytes) & 0x7fff_ffff
}

#[cfg(not(target_arch = "wasm32"))]
use crc32fast::hash as crc32;

#[cfg(target_arch = "wasm32")]
use crc_fold::crc32;

#[cfg(test)]
mod tests {
    #[test]
    fn the_top_bit_is_cleared() {
        assert_eq!(
            super::rocketmq_crc32(b"123456789"),
            0xcbf4_3926 & 0x7fff_ffff
        );
    }
}
