#!/usr/bin/env bash
# usage: run.sh VERSION COMMAND [args…]   (see README.md)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { echo "usage: run.sh VERSION list|gen|recover|dump|scenario|fuzz|corpus …" >&2; exit 2; }
version=$1; shift
b=$here/build/$version
mkdir -p "$b"
repo=$(realpath -m "${M2_REPO:-$HOME/.m2/repository}")
if [ ! -s "$b/cp.txt" ]; then
  mvn -q -B -Dstyle.color=never -f "$here/pom.xml" dependency:build-classpath -Drocketmq.version="$version" \
      -Dmaven.repo.local="$repo" -Dmdep.localRepoProperty='@M2@' -Dmdep.outputFile="$b/cp.txt" >&2
fi
cp=$(sed "s#@M2@#$repo#g" "$b/cp.txt")
major=v${version%%.*}
sources=("$here/src/main" "$here/src/$major")
class=oracle.Main
if [ "$1" = form ]; then
  # Uses what only the newest releases have: compiled where it is asked for.
  shift; sources+=("$here/src/forms"); class=oracle.Forms; b=$b/forms; mkdir -p "$b"
fi
newest=$(find "${sources[@]}" -name '*.java' -printf '%T@\n' | sort -n | tail -1)
if [ ! -e "$b/stamp" ] || [ "$(cat "$b/stamp")" != "$newest" ]; then
  rm -rf "$b/classes"; mkdir -p "$b/classes"
  find "${sources[@]}" -name '*.java' -print0 |
    xargs -0 javac -nowarn -Xlint:none -encoding UTF-8 --release 17 -cp "$cp" -d "$b/classes"
  echo "$newest" > "$b/stamp"
fi
# 4.9.x unmaps buffers through DirectByteBuffer.cleaner(), which Java 17 closes by default.
exec java ${ORACLE_JAVA_OPTS:--Xms512m -Xmx1g} -Duser.timezone=UTC -Dfile.encoding=UTF-8 \
  -Duser.language=en -Dio.netty.noUnsafe=false -Doracle.version="$version" \
  --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
  --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED \
  --add-opens=java.base/jdk.internal.ref=ALL-UNNAMED --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED \
  --add-exports=java.base/sun.nio.ch=ALL-UNNAMED \
  -cp "$b/classes:$cp" "$class" "$@"
