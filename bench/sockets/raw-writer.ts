// A program of its own, the yardstick: writes the same bytes as often to as many plain TCP sockets and does nothing else.
//   node bench/sockets/raw-writer.ts <port> <bytes> <times a second>
import { createServer, type Socket } from 'node:net'

const [port = '0', bytes = '0', perSecond = '5'] = process.argv.slice(2)
/** A frame of that size to a reader. */
const frame = Buffer.alloc(Number(bytes))
frame[0] = 0x82
frame[1] = 126
frame.writeUInt16BE(frame.length - 4, 2)

const sockets = new Set<Socket>()
const server = createServer((socket) => {
  socket.once('data', () => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    // The reader's subscription follows the answer to its handshake.
    socket.once('data', () => sockets.add(socket))
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
})
server.listen(Number(port), '127.0.0.1', () => console.log(`Ready at http://127.0.0.1:${port}`))
setInterval(
  () => {
    for (const socket of sockets) socket.write(frame)
  },
  1_000 / Number(perSecond),
)
process.once('SIGTERM', () => process.exit(0))
