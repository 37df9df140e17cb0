import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import software.amazon.dynamodb.services.local.main.CommandLineInput;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local with its own options, listening on 127.0.0.1 alone: its own main class listens on every address
 * and has no option for it. Compiled beside this file, so that a machine without a JDK can run it:
 * `javac --release 17 -g:none -cp 'DynamoDBLocal.jar:DynamoDBLocal_lib/*' LoopbackServer.java`
 */
class LoopbackServer {
  public static void main(String[] arguments) throws Exception {
    var options = new CommandLineInput(arguments);
    options.init();
    var requests = new LocalDynamoDBRequestHandler(
        0, options.isInMemory(), options.getDbPath(), options.getSharedDb(), options.shouldDelayTransientStatuses());
    var server = new Server(new InetSocketAddress("127.0.0.1", options.getPort()));
    server.setHandler(new LocalDynamoDBServerHandler(requests, options.getCorsParams()));
    server.start();
  }
}
