import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;

/**
 * Writes or reads MapFiles by Hadoop's own classes: tiles of key % 50 bytes, all of value key. Folders to
 * write are called by compression and interval of the index, as NONE-7.
 */
public final class MapFiles {
  public static void main(String[] arguments) throws Exception {
    int tiles = Integer.parseInt(arguments[1]);
    for (int at = 2; at < arguments.length; at++) {
      Path folder = new Path(arguments[at]);
      if (arguments[0].equals("write")) {
        String[] how = folder.getName().split("-");
        write(folder, tiles, CompressionType.valueOf(how[0]), Integer.parseInt(how[1]));
      } else {
        System.out.println(read(folder, tiles));
      }
    }
  }

  private static Configuration small() {
    Configuration settings = new Configuration();
    settings.setInt("io.seqfile.compress.blocksize", 500);
    return settings;
  }

  private static byte[] tile(long key) {
    byte[] tile = new byte[(int) (key % 50)];
    java.util.Arrays.fill(tile, (byte) key);
    return tile;
  }

  private static void write(Path folder, int tiles, CompressionType compression, int interval)
      throws Exception {
    MapFile.Writer writer =
        new MapFile.Writer(
            small(),
            folder,
            MapFile.Writer.keyClass(LongWritable.class),
            MapFile.Writer.valueClass(BytesWritable.class),
            MapFile.Writer.compression(compression));
    writer.setIndexInterval(interval);
    for (long key = 0; key < 3L * tiles; key += 3) {
      writer.append(new LongWritable(key), new BytesWritable(tile(key)));
    }
    writer.close();
  }

  /** How many of the keys 0 to 3 * tiles - 1 are there; all tiles must be right. */
  private static int read(Path folder, int tiles) throws Exception {
    int found = 0;
    try (MapFile.Reader reader = new MapFile.Reader(folder, small())) {
      BytesWritable value = new BytesWritable();
      for (long key = 3L * tiles - 1; key >= 0; key--) {
        if (reader.get(new LongWritable(key), value) == null) {
          continue;
        }
        if (!java.util.Arrays.equals(value.copyBytes(), tile(key))) {
          throw new IllegalStateException("another tile at " + key);
        }
        found++;
      }
    }
    return found;
  }
}
