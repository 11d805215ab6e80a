import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { SignedBatch, SigningBatch } from './rsa-worker.ts'

interface Order {
  readonly privatePem: string
  readonly text: string
  readonly resolve: (signature: string) => void
  readonly reject: (error: Error) => void
}

// Few, so that the first ones are on their way while the next ones are signed.
const BATCH_MAX = 8
/** One core is for the event loop. Threads start when the first signature is asked for, and end with the process. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))
/** They keep one key and a batch: a thread that takes more has a fault. */
const MEMORY = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

const waiting: Order[] = []
const idle: Worker[] = []
let started = 0
let scheduled = false

/**
 * RSA PKCS#1 v1.5 with SHA-256, base64. 2048 bits take a quarter of a millisecond of a core: threads of our own sign what was asked for in one tick together.
 * Libuv's pool has to be woken for every single signature, which cost the event loop half as much again as signing costs a core.
 * @throws Error when the key cannot be read
 */
export function rsaSignature(privatePem: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    waiting.push({ privatePem, text, resolve, reject })
    if (scheduled) return
    scheduled = true
    setImmediate(handOut)
  })
}

function handOut(): void {
  scheduled = false
  while (waiting.length > 0) {
    const thread = idle.pop() ?? (started < THREADS ? start() : undefined)
    if (!thread) return
    // An equal share for each thread, of one key.
    const { privatePem } = waiting[0]!
    const size = Math.min(BATCH_MAX, Math.ceil(waiting.length / THREADS))
    const otherKey = waiting.slice(0, size).findIndex((order) => order.privatePem !== privatePem)
    void signOn(thread, privatePem, waiting.splice(0, otherKey < 0 ? size : otherKey)).then(handOut)
  }
}

function start(): Worker {
  started += 1
  const thread = new Worker(new URL('./rsa-worker.ts', import.meta.url), { resourceLimits: MEMORY, execArgv: [] })
  thread.once('exit', () => {
    started -= 1
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
  })
  return thread
}

function signOn(thread: Worker, privatePem: string, orders: readonly Order[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (error?: Error) => {
      thread.off('message', signed).off('error', end).off('exit', exited)
      if (error) for (const { reject } of orders) reject(error)
      resolve()
    }
    const signed = (batch: SignedBatch) => {
      thread.unref()
      idle.push(thread)
      if ('error' in batch) return end(new Error(`the RSA key cannot sign: ${batch.error}`))
      orders.forEach((order, index) => order.resolve(batch[index]!))
      end()
    }
    const exited = () => end(new Error('the signing thread ended'))
    // Only while it signs does a thread keep the process alive.
    thread.ref()
    thread.once('message', signed).once('error', end).once('exit', exited)
    thread.postMessage({ privatePem, texts: orders.map(({ text }) => text) } satisfies SigningBatch)
  })
}
