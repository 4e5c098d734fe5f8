import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.accumulo.core.client.Accumulo;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchScanner;
import org.apache.accumulo.core.client.BatchWriter;
import org.apache.accumulo.core.client.BatchWriterConfig;
import org.apache.accumulo.core.client.IteratorSetting;
import org.apache.accumulo.core.client.MutationsRejectedException;
import org.apache.accumulo.core.client.NamespaceExistsException;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.client.TableExistsException;
import org.apache.accumulo.core.client.TableNotFoundException;
import org.apache.accumulo.core.client.security.tokens.PasswordToken;
import org.apache.accumulo.core.data.Key;
import org.apache.accumulo.core.data.Mutation;
import org.apache.accumulo.core.data.Range;
import org.apache.accumulo.core.data.Value;
import org.apache.accumulo.core.iterators.SortedKeyIterator;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.hadoop.io.Text;

/**
 * Accumulo's client for a program in another language: whatever crosses is one array of bytes, so
 * that the price of crossing does not depend on the number of tiles.
 *
 * <p>A row is the tile's key, eight bytes big-endian; the manifest's row is longer. Keys cross as
 * eight bytes each, tiles as key, length (four bytes, big-endian) and bytes. All methods may be
 * called from many threads.
 *
 * <p>Every call is made by a thread of its own, which is left behind when the time is over: where
 * there is no ZooKeeper, the client asks for it again and again, for one thread after the other, and
 * no interrupt ends that.
 */
public final class AccumuloTiles implements AutoCloseable {
  private static final byte[] MANIFEST = "manifest of the layer".getBytes();
  private static final byte[] COLUMN = "tile".getBytes();
  private static final int CHUNK = 4 << 20;

  /** Where the client is while it asks ZooKeeper. */
  private static final String ASKING = "org.apache.accumulo.core.fate.zookeeper.Zoo";

  private static final ExecutorService CALLERS = Executors.newCachedThreadPool(call -> {
    Thread caller = new Thread(call, "AccumuloTiles");
    caller.setDaemon(true);
    return caller;
  });

  private final PasswordToken login;
  private final AccumuloClient client;
  private final String table;
  private final long timeout;

  /** Shorter, so that what the client itself has to say comes first. */
  private final long patience;

  private final int threads;
  private final ConcurrentLinkedDeque<BatchWriter> writers = new ConcurrentLinkedDeque<>();

  /** Connects; throws what Accumulo throws where it cannot. Timeouts are in milliseconds. */
  public AccumuloTiles(
      String instance, String zooKeepers, String user, String password, String table, long timeout,
      int threads) throws Exception {
    this.timeout = timeout;
    this.patience = timeout - timeout / 10;
    Properties properties = new Properties();
    properties.setProperty("instance.name", instance);
    properties.setProperty("instance.zookeepers", zooKeepers);
    // A connection to ZooKeeper is tried for twice its timeout.
    properties.setProperty("instance.zookeepers.timeout", timeout / 2 + "ms");
    // A scanner looks at its own timeout only when an answer has come or was given up.
    properties.setProperty("general.rpc.timeout", patience + "ms");
    this.login = new PasswordToken(password);
    this.table = table;
    this.threads = threads;
    this.client = inTime(() -> Accumulo.newClient().from(properties).as(user, login).build());
  }

  /** What an answer is, which has to come in time; throws what the call throws. */
  private <T> T inTime(Callable<T> call) throws Exception {
    return answered(call, true);
  }

  /** What an answer is, however long it takes, as long as there are servers. */
  private <T> T whileServed(Callable<T> call) throws Exception {
    return answered(call, false);
  }

  private <T> T answered(Callable<T> call, boolean once) throws Exception {
    Future<T> answer = CALLERS.submit(call);
    while (true) {
      try {
        return answer.get(timeout, TimeUnit.MILLISECONDS);
      } catch (TimeoutException late) {
        String why = whatIsMissing();
        if (once || !why.isEmpty()) {
          throw new TimeoutException("no answer within " + timeout / 1000.0 + " s" + why);
        }
      } catch (ExecutionException failed) {
        throw failed.getCause() instanceof Exception ? (Exception) failed.getCause() : failed;
      }
    }
  }

  /** Of one call at a time: what is asked here is not to be taken for a call that waits. */
  private synchronized String whatIsMissing() {
    if (zooKeeperIsAwaited()) {
      return ", while the client waits for ZooKeeper";
    }
    return isWithoutServers() ? ", because no tablet server runs" : "";
  }

  private static boolean zooKeeperIsAwaited() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(one -> one.getKey().getState() != Thread.State.RUNNABLE)
        .flatMap(one -> Arrays.stream(one.getValue()))
        .anyMatch(frame -> frame.getClassName().startsWith(ASKING));
  }

  /** Logs in, which connecting does not. */
  public boolean logIn() throws Exception {
    return inTime(() -> client.securityOperations().authenticateUser(client.whoami(), login));
  }

  public boolean namespaceExists(String name) throws Exception {
    return name.isEmpty() || inTime(() -> client.namespaceOperations().exists(name));
  }

  public void createNamespace(String name) throws Exception {
    try {
      whileServed(
          () -> {
            client.namespaceOperations().create(name);
            return null;
          });
    } catch (NamespaceExistsException another) {
      // Another process was faster.
    }
  }

  public void create() throws Exception {
    try {
      whileServed(
          () -> {
            client.tableOperations().create(table);
            return null;
          });
    } catch (TableExistsException another) {
      // Another process was faster.
    }
  }

  /** The tile of a key, by a Scanner; null where there is none. */
  public byte[] get(long key) throws Exception {
    return inTime(() -> valueOf(row(key)));
  }

  public byte[] manifest() throws Exception {
    return inTime(() -> valueOf(MANIFEST));
  }

  private byte[] valueOf(byte[] row) throws Exception {
    try (Scanner scanner = client.createScanner(table, Authorizations.EMPTY)) {
      scanner.setTimeout(patience, TimeUnit.MILLISECONDS);
      scanner.setBatchSize(1);
      scanner.setRange(Range.exact(new Text(row)));
      for (Map.Entry<Key, Value> entry : scanner) {
        return entry.getValue().get();
      }
      return null;
    } catch (TableNotFoundException missing) {
      return null;
    }
  }

  /** All keys, one after the other, more than once where a row has several columns. */
  public byte[] keys() throws Exception {
    return whileServed(this::allKeys);
  }

  private byte[] allKeys() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Scanner scanner = client.createScanner(table, Authorizations.EMPTY)) {
      scanner.setTimeout(patience, TimeUnit.MILLISECONDS);
      // Keys alone cross the network.
      scanner.addScanIterator(new IteratorSetting(100, SortedKeyIterator.class));
      for (Map.Entry<Key, Value> entry : scanner) {
        byte[] row = entry.getKey().getRowData().toArray();
        if (row.length == 8) {
          out.write(row);
        } else if (!Arrays.equals(row, MANIFEST)) {
          throw new IllegalStateException("a row of " + row.length + " bytes is no key of a tile");
        }
      }
    } catch (TableNotFoundException missing) {
      return new byte[0];
    }
    return out.toByteArray();
  }

  /** Begins to read the tiles of those keys, by a BatchScanner; null where there is no table. */
  public Batch getMany(byte[] keys) throws Exception {
    try {
      return inTime(
          () -> {
            BatchScanner scanner = client.createBatchScanner(table, Authorizations.EMPTY, threads);
            return new Batch(scanner, keys);
          });
    } catch (TableNotFoundException missing) {
      return null;
    }
  }

  /** Tiles as they arrive, in any order; those that are not there never come. */
  public final class Batch implements AutoCloseable {
    private final BatchScanner scanner;
    private final Iterator<Map.Entry<Key, Value>> arriving;

    private Batch(BatchScanner scanner, byte[] keys) {
      List<Range> ranges = new ArrayList<>(keys.length / 8);
      for (ByteBuffer left = ByteBuffer.wrap(keys); left.hasRemaining(); ) {
        ranges.add(Range.exact(new Text(row(left.getLong()))));
      }
      this.scanner = scanner;
      scanner.setTimeout(patience, TimeUnit.MILLISECONDS);
      scanner.setRanges(ranges);
      this.arriving = scanner.iterator();
    }

    /** Some megabytes of tiles, so that memory stays bounded; null when all have come. */
    public byte[] next() throws Exception {
      return whileServed(this::arrived);
    }

    private byte[] arrived() throws Exception {
      if (!arriving.hasNext()) {
        return null;
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream(CHUNK + (CHUNK >> 2));
      while (out.size() < CHUNK && arriving.hasNext()) {
        Map.Entry<Key, Value> entry = arriving.next();
        byte[] value = entry.getValue().get();
        out.write(entry.getKey().getRowData().toArray());
        out.write(ByteBuffer.allocate(4).putInt(value.length).array());
        out.write(value);
      }
      return out.toByteArray();
    }

    @Override
    public void close() {
      scanner.close();
    }
  }

  public void put(long key, byte[] value) throws Exception {
    inTime(() -> write(List.of(mutation(row(key), value))));
  }

  public void setManifest(byte[] value) throws Exception {
    inTime(() -> write(List.of(mutation(MANIFEST, value))));
  }

  /** Writes tiles; when it returns they are in the servers' logs. */
  public void putMany(byte[] tiles) throws Exception {
    List<Mutation> mutations = new ArrayList<>();
    for (ByteBuffer left = ByteBuffer.wrap(tiles); left.hasRemaining(); ) {
      long key = left.getLong();
      byte[] value = new byte[left.getInt()];
      left.get(value);
      mutations.add(mutation(row(key), value));
    }
    whileServed(() -> write(mutations));
  }

  private Void write(List<Mutation> mutations) throws Exception {
    BatchWriter writer = writers.poll();
    if (writer == null) {
      writer = client.createBatchWriter(table, new BatchWriterConfig()
          .setTimeout(patience, TimeUnit.MILLISECONDS).setMaxWriteThreads(threads));
    }
    try {
      writer.addMutations(mutations);
      writer.flush();
    } catch (MutationsRejectedException | RuntimeException failed) {
      // A writer that failed once fails for ever.
      discard(writer);
      // What a rejection says by itself are numbers only.
      throw failed.getCause() instanceof Exception ? (Exception) failed.getCause() : failed;
    }
    writers.push(writer);
    return null;
  }

  private static void discard(BatchWriter writer) {
    try {
      writer.close();
    } catch (MutationsRejectedException told) {
      // It has been told already.
    }
  }

  /** Whether ZooKeeper is there and knows of no tablet server that runs. */
  public synchronized boolean isWithoutServers() {
    try {
      return CALLERS
          .submit(() -> client.instanceOperations().getTabletServers().isEmpty())
          .get(timeout, TimeUnit.MILLISECONDS);
    } catch (Exception unknown) {
      return false;
    }
  }

  /** Moves what was written from the servers' memory into files. */
  public void flush() throws Exception {
    whileServed(
        () -> {
          client.tableOperations().flush(table, null, null, true);
          return null;
        });
  }

  /** Deletes the table; how many rows it had, 0 where there is none. */
  public long remove() throws Exception {
    return whileServed(this::removed);
  }

  private long removed() throws Exception {
    closeWriters();
    long rows = 0;
    try (Scanner scanner = client.createScanner(table, Authorizations.EMPTY)) {
      // Keys alone cross the network.
      scanner.addScanIterator(new IteratorSetting(100, SortedKeyIterator.class));
      for (Map.Entry<Key, Value> ignored : scanner) {
        rows++;
      }
      client.tableOperations().delete(table);
    } catch (TableNotFoundException missing) {
      return 0;
    }
    return rows;
  }

  private void closeWriters() {
    for (BatchWriter writer = writers.poll(); writer != null; writer = writers.poll()) {
      discard(writer);
    }
  }

  /** Lets go of everything; a client that waits for ZooKeeper does so when it is done with that. */
  @Override
  public void close() {
    try {
      inTime(
          () -> {
            closeWriters();
            client.close();
            return null;
          });
    } catch (Exception told) {
      // It has been told already, by the call before.
    }
  }

  private static byte[] row(long key) {
    return ByteBuffer.allocate(8).putLong(key).array();
  }

  private static Mutation mutation(byte[] row, byte[] value) {
    Mutation mutation = new Mutation(row);
    mutation.at().family(COLUMN).qualifier(COLUMN).put(value);
    return mutation;
  }
}
