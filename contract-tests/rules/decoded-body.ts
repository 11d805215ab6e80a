import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Exchange } from '../harness/proxy.ts'

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])
/** A page has some kB; a body that grows beyond this is judged as it came. */
const DECODED_MAX = 16 * 1024 * 1024

/** An exchange whose reply reads as the browser shows it: a page came compressed. */
export function decoded(exchange: Exchange): Exchange {
  const { reply } = exchange
  const coding = reply.headers['content-encoding']?.[0]?.trim().toLowerCase()
  const decode = coding === undefined ? undefined : DECODERS.get(coding)
  if (!decode || reply.body.length === 0) return exchange
  try {
    return { ...exchange, reply: { ...reply, body: decode(reply.body, { maxOutputLength: DECODED_MAX }) } }
  } catch {
    return exchange
  }
}
