import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SignedBatch, SigningBatch } from './rsa-worker.ts'

interface Order {
  readonly privatePem: string
  readonly text: string
  readonly resolve: (signature: string) => void
  readonly reject: (error: Error) => void
}

/** A signing thread; it replies to its batches in order. */
interface Signer {
  readonly thread: Worker
  readonly batches: (readonly Order[])[]
}

/** Small, so that the first signatures are sent while the next ones are computed. */
const BATCH_MAX = 16
/**
 * The event loop picks up replies some milliseconds late: a thread with only one batch was idle three quarters of the
 * time.
 */
const BATCHES_MAX = 4
/** One core stays free for the event loop. Threads start at the first signature and end with the process. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1))
/** A thread holds one key and a few batches: one that needs more memory has a bug. */
const MEMORY = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

/**
 * A thread needs nothing of the environment but the compile cache, which it does not inherit: without it each keeps
 * Node's TypeScript parser in memory, which is 16 MB, and begins to sign 40 ms later.
 */
function threadEnvironment(): Readonly<Record<string, string>> {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}

const waiting: Order[] = []
const signers: Signer[] = []
let scheduled = false

/**
 * RSA PKCS#1 v1.5 with SHA-256, base64. A 2048-bit signature takes a quarter of a millisecond of a core. Our own
 * threads sign all requests of one tick in batches. Libuv's pool has to be woken for every single signature, which
 * cost the event loop half as much again as signing costs a core.
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
  for (let next = waiting[0]; next; next = waiting[0]) {
    const signer = leastBusy()
    if (signer.batches.length >= BATCHES_MAX) return
    // One key per batch, and small enough to leave work for the other threads.
    const { privatePem } = next
    const size = Math.min(BATCH_MAX, Math.ceil(waiting.length / THREADS))
    const otherKey = waiting.slice(0, size).findIndex((order) => order.privatePem !== privatePem)
    const batch = waiting.splice(0, otherKey < 0 ? size : otherKey)
    // A thread keeps the process alive only while it signs.
    signer.thread.ref()
    signer.batches.push(batch)
    signer.thread.postMessage({ privatePem, texts: batch.map(({ text }) => text) } satisfies SigningBatch)
  }
}

function leastBusy(): Signer {
  const [idlest] = signers.toSorted((one, other) => one.batches.length - other.batches.length)
  return idlest && (idlest.batches.length === 0 || signers.length === THREADS) ? idlest : start()
}

function start(): Signer {
  const signer: Signer = {
    thread: new Worker(new URL('./rsa-worker.ts', import.meta.url), {
      resourceLimits: MEMORY,
      execArgv: [],
      env: threadEnvironment(),
    }),
    batches: [],
  }
  let cause = new Error('the signing thread ended')
  signer.thread.on('message', (signed: SignedBatch) => {
    const batch = signer.batches.shift()
    if (!batch) throw new Error('a signing thread answered an unknown request')
    if (signer.batches.length === 0) signer.thread.unref()
    if ('error' in signed) for (const { reject } of batch) reject(new Error(`the RSA key cannot sign: ${signed.error}`))
    else signed.forEach((signature, index) => batch[index]?.resolve(signature))
    handOut()
  })
  signer.thread.once('error', (error: Error) => {
    cause = error
  })
  signer.thread.once('exit', () => {
    signers.splice(signers.indexOf(signer), 1)
    for (const { reject } of signer.batches.flat()) reject(cause)
    handOut()
  })
  signers.push(signer)
  return signer
}
