import java.net.InetSocketAddress;
import org.eclipse.jetty.server.Server;
import software.amazon.dynamodb.services.local.main.CommandLineInput;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Starts DynamoDB Local with its usual options on a free port of 127.0.0.1, and prints the port. The main class of
 * DynamoDB Local listens on all addresses, on a fixed port that another process might take first. The compiled class
 * is beside this file, so that a machine without a JDK can run it. To compile it:
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
