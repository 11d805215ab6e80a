// The signing thread that rsa-threads.ts starts.
import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

export interface SigningBatch {
  readonly privatePem: string
  readonly texts: readonly string[]
}

/** Base64, in the order of the texts. */
export type SignedBatch = readonly string[] | { readonly error: string }

let cached: { pem: string; key: KeyObject } | undefined
function privateKeyOf(pem: string): KeyObject {
  if (cached?.pem !== pem) cached = { pem, key: createPrivateKey(pem) }
  return cached.key
}

function signAll({ privatePem, texts }: SigningBatch): SignedBatch {
  try {
    const key = privateKeyOf(privatePem)
    return texts.map((text) => sign('sha256', Buffer.from(text), key).toString('base64'))
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

const port = parentPort
if (!port) throw new Error('rsa-worker.ts runs in a thread of rsa-threads.ts only')
port.on('message', (batch: SigningBatch) => port.postMessage(signAll(batch)))
