#include <arpa/inet.h>
#include <cctype>
#include <cstdint>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

static int server;

static void send_text(const std::string& text) {
    uint32_t length = htonl(text.size());
    std::string all(reinterpret_cast<char*>(&length), 4);
    all += text;
    if (write(server, all.data(), all.size()) < 0) _exit(1);
}

static std::string read_bytes(size_t count) {
    std::string data;
    while (data.size() < count) {
        char part[4096];
        ssize_t got = read(server, part, std::min(sizeof part, count - data.size()));
        if (got <= 0) _exit(0);
        data.append(part, got);
    }
    return data;
}

int main(int, char** words) {
    bool white = std::tolower(words[1][0]) == 'w';
    std::string side = white ? "WHITE" : "BLACK";
    const char* moves[2][2] = {{white ? "e4" : "d1", white ? "d4" : "c1"},
                               {white ? "d4" : "c1", white ? "e4" : "b1"}};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(white ? 5800 : 5801);
    inet_pton(AF_INET, words[3], &address.sin_addr);
    server = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address)) return 2;
    send_text("\"cpp\"");
    for (int next = 0;;) {
        std::string head = read_bytes(4);
        uint32_t length = ntohl(*reinterpret_cast<const uint32_t*>(head.data()));
        std::string state = read_bytes(length);
        if (state.find("\"turn\":\"" + side + "\"") == std::string::npos) continue;
        // Thinking in another thread works as well.
        std::thread([&] {
            send_text(std::string("{\"from\":\"") + moves[next][0] + "\",\"to\":\"" + moves[next][1]
                + "\",\"turn\":\"" + side + "\"}");
        }).join();
        next++;
    }
}
