import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { listen } from './listen.ts'

export interface TlsTunnel {
  readonly url: string
  /** PEM file with the certificate, which is its own authority. */
  readonly certificate: string
  close(): Promise<void>
}

const OF_THIS_MACHINE =
  'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(' ')

/**
 * TLS in front of a server on this machine, as a reverse proxy of an operator would have it. Bytes are passed on as
 * they are: what stands behind it is what is tested. Undefined where there is no openssl to make a certificate with.
 */
export async function startTlsTunnel(portBehind: number): Promise<TlsTunnel | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-tls-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = await promisify(execFile)('openssl', [...OF_THIS_MACHINE, '-keyout', key, '-out', certificate]).then(
    () => true,
    () => false,
  )
  if (!made) {
    await rm(folder, { recursive: true })
    return undefined
  }
  const server = createServer({ key: await readFile(key), cert: await readFile(certificate) }, (safe) => {
    const plain = connect(portBehind, '127.0.0.1')
    safe.pipe(plain).pipe(safe)
    safe.on('error', () => plain.destroy()).on('close', () => plain.destroy())
    // What the server has said before it hung up is still on its way.
    plain.on('error', () => safe.destroySoon()).on('close', () => safe.destroySoon())
  })
  server.on('tlsClientError', () => {
    /* A client that does not trust it hangs up, and says so itself. */
  })
  const { port } = await listen(server, 0, 'localhost')
  return {
    url: `https://localhost:${port}`,
    certificate,
    close: async () => {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
