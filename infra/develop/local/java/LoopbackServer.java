import java.net.InetSocketAddress;
import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import software.amazon.dynamodb.services.local.main.CommandLineInput;
import software.amazon.dynamodb.services.local.server.DynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Starts DynamoDB Local with its usual options on a free port of 127.0.0.1, and prints the port. The main class of
 * DynamoDB Local listens on all addresses, on a fixed port that another process might take first, and lets every page
 * in a browser read and write. This class refuses requests with a foreign Host (DNS rebinding) or from a page. The
 * compiled class is beside this file, so that a machine without a JDK can run it. To compile it:
 * `javac --release 17 -g:none -cp 'DynamoDBLocal.jar:DynamoDBLocal_lib/*' LoopbackServer.java`
 */
class LoopbackServer extends LocalDynamoDBServerHandler {
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private LoopbackServer(DynamoDBRequestHandler requests, String cors) {
    super(requests, cors);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    var isOwn = OWN_NAMES.contains(Request.getServerName(request)) && !request.getHeaders().contains("Origin");
    if (isOwn) return super.handle(request, response, callback);
    Response.writeError(request, response, callback, 403, "Only programs on this machine may use the local stage.");
    return true;
  }

  public static void main(String[] arguments) throws Exception {
    var options = new CommandLineInput(arguments);
    options.init();
    var requests = new LocalDynamoDBRequestHandler(
        0, options.isInMemory(), options.getDbPath(), options.getSharedDb(), options.shouldDelayTransientStatuses());
    var server = new Server(new InetSocketAddress("127.0.0.1", 0));
    server.setHandler(new LoopbackServer(requests, options.getCorsParams()));
    server.start();
    System.out.println("port " + server.getURI().getPort());
  }
}
