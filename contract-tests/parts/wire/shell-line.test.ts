import { exec } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../harness/listen.ts'
import { shellLine } from './shell-line.ts'
import { one, type WireCase } from './wire-case.ts'

const secrets = { pub_sandbox_demo: 'PUBLIC_KEY' }

async function serverOf(answer: (bytes: Buffer, socket: Socket) => void) {
  const came: Buffer[] = []
  const server = await listen(
    createServer((socket) => {
      const chunks: Buffer[] = []
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        came[0] = Buffer.concat(chunks)
        answer(came[0], socket)
      })
    }),
  )
  onTestFinished(() => server.close())
  return { came, url: new URL(server.url) }
}

const pasted = (line: string | undefined): Promise<string> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, PUBLIC_KEY: 'pub_sandbox_demo' }
    exec(line ?? 'exit 1', { shell: '/bin/sh', env }, (_error, out, err) => resolve(out + err))
  })

test('sends the bytes of a case unchanged, keys included, and prints the reply', async () => {
  const bytes = Buffer.from("GET /'%\\ HTTP/1.1\r\npublic-key: pub_sandbox_demo\r\n\0\xff\r\n\r\n", 'latin1')
  const { came, url } = await serverOf((all, socket) => {
    if (all.length >= bytes.length) socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n')
  })
  const line = shellLine(url, one('request line: odd bytes', bytes, [400]), secrets)
  expect(line).not.toContain('pub_sandbox_demo')
  expect(await pasted(line)).toBe('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n')
  expect(came[0]!.equals(bytes)).toBe(true)
})

test('writes long runs and pauses in few words', async () => {
  const pieces = [Buffer.from(`GET / HTTP/1.1\r\nx: ${'v'.repeat(70_000)}`), Buffer.from('\r\n\r\n')]
  const { came, url } = await serverOf((all, socket) => {
    if (all.subarray(-4).toString() === '\r\n\r\n') socket.end('no')
  })
  const wireCase: WireCase = { name: 'header: long', pieces, pauseMs: 100, allowed: [[400]] }
  const line = shellLine(url, wireCase, secrets)
  expect(line!.length).toBeLessThan(500)
  expect(await pasted(line)).toBe('no')
  expect(came[0]!.equals(Buffer.concat(pieces))).toBe(true)
})

test('says when a server neither answers nor closes the connection', async () => {
  const { url } = await serverOf(() => undefined)
  expect(await pasted(shellLine(url, one('header: any', Buffer.from('GET'), [400]), secrets))).toBe(
    '(still open after 5 s)\n',
  )
})

test('there is no line for what bash cannot do', () => {
  const wireCase = one('connection: cut', Buffer.from('GET'), [400])
  expect(shellLine(new URL('https://gateway.example'), wireCase, {})).toBeUndefined()
  expect(shellLine(new URL('http://127.0.0.1:1'), { ...wireCase, afterwards: 'reset' }, {})).toBeUndefined()
})
