//! What the sample stores tell.

pub const TEXTS: &[(&str, &str)] = &[
    ("sample.hole-in-the-middle.title", "中间的空洞"),
    (
        "sample.hole-in-the-middle.what",
        "整整少了一个文件。broker 会发现吗？",
    ),
    (
        "story.clean-stop.happened",
        "一次正常停机：**abort** 已删除，一切都已刷盘。",
    ),
    (
        "story.clean-stop.watch",
        "读得多么少：三个文件，而且不分发任何消息。",
    ),
    (
        "story.clean-stop.why",
        "没有 **abort** 时 broker 信任队列和索引，只读最后三个日志文件。之前的不检查：那里的损坏要到消费者读到时才会显现。",
    ),
    (
        "story.flipped-byte.happened",
        "**第一个**文件中某个消息体有一个比特错误，而 checkpoint 的时间都是 0：没有一个文件算作确已落盘。",
    ),
    (
        "story.flipped-byte.watch",
        "起始文件：一个接一个地被跳过，直到第一个。",
    ),
    (
        "story.flipped-byte.why",
        "异常恢复从首条消息早于 checkpoint 减 3 秒的最新文件开始。checkpoint 为 0 时没有这样的文件，于是从头读起，遇到坏记录，并截断其后 123 条完好的消息。若 checkpoint 如常，没有人会看那里。",
    ),
    ("story.happened", "发生了什么："),
    ("story.hide", "隐藏"),
    (
        "story.hole-in-the-middle.happened",
        "日志中间整整少了一个文件，而恢复从第一个文件开始。",
    ),
    (
        "story.hole-in-the-middle.watch",
        "从文件到文件的那一步：第一个之后就是第三个，什么也没说。",
    ),
    (
        "story.hole-in-the-middle.why",
        "broker 按名称顺序取文件，从不问它们是否首尾相接。它照常启动，什么也不报告。消费者走到空洞处得不到任何东西；队列的单元指向空洞之中。",
    ),
    (
        "story.index-lost.happened",
        "什么都没有损坏。broker 宕机，而 checkpoint 只知道此前某刻是安全的。",
    ),
    (
        "story.index-lost.watch",
        "比 checkpoint 的 index 时间更新的索引文件：整个被销毁。",
    ),
    (
        "story.index-lost.why",
        "异常退出之后，最后一条比 checkpoint 更新的索引文件不被信任，会被删除，只根据扫描读到的消息重建。起始文件之前的消息的条目不会再写：消息还在，按 offset 或时间能找到，按 key 却找不到了。",
    ),
    ("story.label", "关于这个样本"),
    (
        "story.queues-ahead.happened",
        "队列指向日志从未得到的消息：队列文件刷了盘，日志的末尾没有。",
    ),
    ("story.queues-ahead.watch", "截断前后队列的末端。"),
    (
        "story.queues-ahead.why",
        "**processOffset** 是日志最后一条完好消息的结尾。指向那里或其后的每个单元都是脏的，会被截断，免得消费者被送到即将被别的消息占用的字节。它们所指的三条消息不在这些文件里。",
    ),
    (
        "story.queues-behind.happened",
        "broker 宕机时分发正落后：日志里有些消息，队列和索引还不知道。",
    ),
    (
        "story.queues-behind.watch",
        "扫描逐条读消息时，队列和索引紫色的末端在增长：播放它，或移动滑块。",
    ),
    (
        "story.queues-behind.why",
        "异常恢复读到的每条消息都会再次分发。队列已有的凭 offset 认出并跳过，缺少的则写入。什么也没丢，只是晚了。",
    ),
    (
        "story.refused.happened",
        "最后一个日志文件没有字节，就像磁盘写满之后那样。",
    ),
    ("story.refused.watch", "它在第 2 步就结束。"),
    (
        "story.refused.why",
        "broker 首先检查每个日志文件的长度是否等于 **mappedFileSizeCommitLog**。有一个不等就停止启动，不管其中有什么：其余文件不再看。什么也没丢；末尾的空文件可以移走。",
    ),
    ("story.show", "显示那一步"),
    (
        "story.start-that-hangs.happened",
        "日志中间少了一个文件，**abort** 不在，队列全部丢失：一次只还原了一部分的恢复。",
    ),
    (
        "story.start-that-hangs.watch",
        "最后一步：分发要读 16 384 处的字节，而那里没有文件。",
    ),
    (
        "story.start-that-hangs.why",
        "正常停机之后只读最后三个文件，所以 `load()` 遇不到空洞。随后分发从最远的队列末端开始：没有队列就从头开始。到空洞处找不到文件，等待，再试，永远如此；`start()` 又在等分发。真实的 broker 就被观察到停在那里。",
    ),
    (
        "story.torn-tail.happened",
        "broker 正在写最后一条消息时机器宕机：头部已落盘，消息体的末尾没有。队列却已经知道它了。",
    ),
    (
        "story.torn-tail.watch",
        "末尾那条记录的消息体 CRC：存储值与计算值；然后是队列的最后一个单元。",
    ),
    (
        "story.torn-tail.why",
        "扫描接受每一条校验通过的记录，在第一条失败处停下：那里就是 **processOffset**，其后全部截断。字节是被撕裂还是被改变，broker 无法区分，也不去问。",
    ),
    ("story.watch", "请留意："),
    ("story.why", "broker 如何处理，为什么："),
];
