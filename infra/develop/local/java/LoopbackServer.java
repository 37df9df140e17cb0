import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import software.amazon.dynamodb.services.local.main.CommandLineInput;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local with its own options, listening on a free port of 127.0.0.1 alone, which it prints: its own main class
 * listens on every address, of a port that another process may take before it does. Compiled beside this file, so that
 * a machine without a JDK can run it:
 * `javac --release 17 -g:none -cp 'DynamoDBLocal.jar:DynamoDBLocal_lib/*' LoopbackServer.java`
 */
class LoopbackServer {
  public static void main(String[] arguments) throws Exception {
    var options = new CommandLineInput(arguments);
    options.init();
    var requests = new LocalDynamoDBRequestHandler(
        0, options.isInMemory(), options.getDbPath(), options.getSharedDb(), options.shouldDelayTransientStatuses());
    var server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(new LocalDynamoDBServerHandler(requests, options.getCorsParams()));
    server.start();
    System.out.println("port " + server.getURI().getPort());
  }
}
