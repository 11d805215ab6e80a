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
  /** PEM file with the self-signed certificate. */
  readonly certificate: string
  close(): Promise<void>
}

const OF_THIS_MACHINE =
  'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(' ')

/**
 * Terminates TLS in front of a local server, as a reverse proxy does, and passes bytes on unchanged: the server behind
 * it is what is tested. Undefined without an openssl to make a certificate with.
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
    // What the server sent before it closed is still in transit.
    plain.on('error', () => safe.destroySoon()).on('close', () => safe.destroySoon())
  })
  server.on('tlsClientError', () => {
    /* A client that does not trust the certificate hangs up and reports it itself. */
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
