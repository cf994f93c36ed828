// Reads a compacted replay with the published reader (hollow-cube/mapmaker, modules/replay), each chunk unpacked, and says
// how many chunks and how many bytes of ticks it found.

import dev.hollowcube.replay.io.CompactedReplayReader;
import java.nio.file.Path;

public final class HollowCube {
    public static void main(String[] arguments) {
        long bytes = 0;
        try (var reader = CompactedReplayReader.open(Path.of(arguments[0]))) {
            for (var chunk : reader.index())
                bytes += reader.chunk(chunk).readableBytes();
            System.out.println(reader.index().size() + " chunks, " + bytes + " bytes");
        }
    }
}
