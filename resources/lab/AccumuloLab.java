import java.io.File;
import java.io.Reader;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.accumulo.core.client.Accumulo;
import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.client.BatchWriter;
import org.apache.accumulo.core.client.Scanner;
import org.apache.accumulo.core.client.security.tokens.PasswordToken;
import org.apache.accumulo.core.data.Mutation;
import org.apache.accumulo.core.security.Authorizations;
import org.apache.accumulo.minicluster.MemoryUnit;
import org.apache.accumulo.minicluster.MiniAccumuloCluster;
import org.apache.accumulo.minicluster.MiniAccumuloConfig;
import org.apache.accumulo.minicluster.ServerType;

/**
 * Runs a small Accumulo on 127.0.0.1 until standard input closes.
 *
 * <p>The argument is a file of properties that only its owner can read. When a table was written
 * and scanned, the line "ready" is printed and the file named "ready" is there.
 */
public final class AccumuloLab {
  private final Properties wanted = new Properties();

  /** An argument of the program that sets an instance up, and so not for long. */
  private final String first = random();

  private AccumuloLab(Path settings) throws Exception {
    try (Reader file = Files.newBufferedReader(settings)) {
      wanted.load(file);
    }
  }

  public static void main(String[] arguments) {
    try {
      new AccumuloLab(Path.of(arguments[0])).run();
    } catch (Exception failure) {
      failure.printStackTrace();
      System.exit(1); // threads of a cluster that is half there would keep this process alive
    }
  }

  private void run() throws Exception {
    MiniAccumuloCluster cluster = new MiniAccumuloCluster(configuration());
    // What its servers say outlives their folder: why one of them ended is told nowhere else.
    Path logs = Path.of(wanted("folder"), "logs");
    Files.delete(logs);
    Files.createSymbolicLink(logs, Path.of(wanted("logs")));
    cluster.start();
    changePassword(cluster);
    tryOut();
    Files.writeString(Path.of(wanted("ready")), "");
    System.out.println("ready");
    System.out.flush();
    while (System.in.read() >= 0) {}
    cluster.stop();
  }

  private String wanted(String name) {
    return wanted.getProperty(name);
  }

  private static String random() {
    return new BigInteger(160, new SecureRandom()).toString(32);
  }

  private MiniAccumuloConfig configuration() {
    Map<String, String> site = new HashMap<>();
    site.put("rpc.bind.addr", "127.0.0.1");
    site.put("instance.secret", random());
    // A server that was killed and started again gets its tiles back soon.
    site.put("manager.recovery.delay", "1s");
    site.put("manager.tablet.watcher.interval", "5s");
    // What was written is with the system then, and outlives the server; no disk is waited for.
    site.put("table.durability", "flush");
    site.put("tserver.cache.data.size", "32M");
    site.put("tserver.cache.index.size", "16M");
    site.put("tserver.memory.maps.max", "64M");
    site.put("tserver.memory.maps.native.enabled", "false");
    site.put("tserver.sort.buffer.size", "16M");
    site.put("tserver.total.mutation.queue.max", "8M");
    site.put("tserver.wal.replication", "1");
    site.put("tserver.walog.max.size", "64M");
    MiniAccumuloConfig config =
        new MiniAccumuloConfig(new File(wanted("folder")), first)
            .setInstanceName(wanted("instance"))
            .setNumTservers(1)
            .setZooKeeperPort(Integer.parseInt(wanted("port")))
            // Who starts this has a deadline of its own; on a busy machine 20 s are too few.
            .setZooKeeperStartupTime(600_000L)
            .setSiteConfig(site);
    memory(config, ServerType.ZOOKEEPER, "zookeeper");
    memory(config, ServerType.MANAGER, "manager");
    memory(config, ServerType.TABLET_SERVER, "tablet.server");
    memory(config, ServerType.GARBAGE_COLLECTOR, "collector");
    return config;
  }

  private void memory(MiniAccumuloConfig config, ServerType server, String name) {
    config.setMemory(server, Long.parseLong(wanted("memory." + name)), MemoryUnit.MEGABYTE);
  }

  private void changePassword(MiniAccumuloCluster cluster) throws Exception {
    try (AccumuloClient client =
        cluster.createAccumuloClient("root", new PasswordToken(first))) {
      client
          .securityOperations()
          .changeLocalUserPassword("root", new PasswordToken(wanted("password")));
    }
  }

  private void tryOut() throws Exception {
    String namespace = wanted("namespace");
    String table = namespace + ".ready";
    try (AccumuloClient client =
        Accumulo.newClient()
            .to(wanted("instance"), "127.0.0.1:" + wanted("port"))
            .as("root", wanted("password"))
            .build()) {
      client.namespaceOperations().create(namespace);
      client.tableOperations().create(table);
      try (BatchWriter writer = client.createBatchWriter(table)) {
        Mutation row = new Mutation("row");
        row.at().family("family").qualifier("qualifier").put("ready");
        writer.addMutation(row);
      }
      try (Scanner scanner = client.createScanner(table, Authorizations.EMPTY)) {
        if (scanner.stream().count() != 1) {
          throw new IllegalStateException("what was written is not there");
        }
      }
      client.tableOperations().delete(table);
    }
  }
}
