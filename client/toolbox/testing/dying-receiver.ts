import { createServer } from 'node:http'
import { webhooks } from '../../index.ts'

// A receiver as its own process, started by `check/dying.test.ts`. It trusts signed messages, and exits on a body
// larger than LARGE_BYTES, like a receiver that reads until it runs out of memory.

const LARGE_BYTES = 1024 * 1024
const SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > LARGE_BYTES) process.exit(137)
    chunks.push(chunk)
  })
  const statusOf = async (): Promise<number> => {
    if (request.method === 'GET') return 405
    if (!request.headers['content-type']?.startsWith('application/json')) return 415
    return webhooks.verify(Buffer.concat(chunks), request.headers, SECRET).then(
      () => 204,
      () => 400,
    )
  }
  request.on('end', () => void statusOf().then((status) => response.writeHead(status).end()))
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('open\n'))
