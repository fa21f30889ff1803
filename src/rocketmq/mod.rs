//! rocketmq
