// WebCrypto only: the same code runs in Node, Deno, Bun, workers and browsers. Its `verify` compares in constant time.
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' } as const

const keyOf = (key: Uint8Array<ArrayBuffer>, usage: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', key, ALGORITHM, false, [usage])

/** HMAC-SHA256. */
export const hmac = async (key: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  crypto.subtle.sign('HMAC', await keyOf(key, 'sign'), signed)

/** Whether one of the signatures was made with one of the keys. */
export async function someHmacFits(
  keys: readonly Uint8Array<ArrayBuffer>[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const key of keys) {
    const imported = await keyOf(key, 'verify')
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', imported, signature, signed)) return true
  }
  return false
}
