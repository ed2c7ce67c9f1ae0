import java.io.*;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

public class Player {
    static DataOutputStream out;

    static void send(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
    }

    public static void main(String[] words) throws IOException {
        boolean white = words[0].equalsIgnoreCase("white");
        String[][] moves = white ? new String[][] {{"e4", "d4"}, {"d4", "e4"}}
            : new String[][] {{"d1", "c1"}, {"c1", "b1"}};
        String side = white ? "WHITE" : "BLACK";
        Socket server = new Socket(words[2], white ? 5800 : 5801);
        out = new DataOutputStream(server.getOutputStream());
        DataInputStream in = new DataInputStream(server.getInputStream());
        send("\"java\"");
        int next = 0;
        try {
            while (true) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                String state = new String(bytes, StandardCharsets.UTF_8);
                if (state.contains("\"turn\":\"" + side + "\"")) {
                    send("{\"from\":\"" + moves[next][0] + "\",\"to\":\"" + moves[next][1]
                        + "\",\"turn\":\"" + side + "\"}");
                    next++;
                }
            }
        } catch (EOFException end) {
        }
    }
}
