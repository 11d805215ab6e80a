import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutgoingRequest } from './exchange.ts'
import type { Terminal } from './terminal.ts'

/** A sent message, stored so that `resend` can send it again. It contains signatures, and no key. */
interface StoredMessage {
  readonly webhookId: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
}

const FOLDER = '.malipo-dev'
/** Older messages are deleted. */
const KEPT_MAX = 200

/** Ids become file names: only these characters may reach a path. */
const isWebhookId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id)
const fileOf = (folder: string, webhookId: string): string => join(folder, FOLDER, `${webhookId}.json`)

/**
 * Stores sent messages under their `webhook-id`; if the folder is not writable, it says so, and only `resend` is lost.
 */
export function storeMessage(
  { folder, complain, paint }: Terminal,
  webhookId: string,
  outgoing: OutgoingRequest,
): void {
  try {
    storeIn(folder, webhookId, outgoing)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    complain(paint.warn(`not stored for resend: ${why}`))
  }
}

/** In `.malipo-dev` of the folder. */
export function storeIn(
  folder: string,
  webhookId: string,
  { method, url, headers, body = new Uint8Array() }: OutgoingRequest,
): void {
  if (!isWebhookId(webhookId)) return
  const bodyBase64 = Buffer.from(body).toString('base64')
  const message: StoredMessage = { webhookId, method, url: url.href, headers, bodyBase64 }
  mkdirSync(join(folder, FOLDER), { recursive: true, mode: 0o700 })
  // A .gitignore, so that nobody commits the folder by accident.
  writeFileSync(join(folder, FOLDER, '.gitignore'), '*\n')
  writeFileSync(fileOf(folder, webhookId), JSON.stringify(message), { mode: 0o600 })
  forgetOldest(join(folder, FOLDER))
}

/** The message of that `webhook-id`, if it was stored. */
export function findMessage(folder: string, webhookId: string): StoredMessage | undefined {
  if (!isWebhookId(webhookId)) return undefined
  try {
    const kept: unknown = JSON.parse(readFileSync(fileOf(folder, webhookId), 'utf8'))
    return isKeptMessage(kept) ? kept : undefined
  } catch {
    return undefined // not stored, or not by us
  }
}

function isKeptMessage(value: unknown): value is StoredMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'webhookId' in value &&
    'method' in value &&
    (value.method === 'GET' || value.method === 'POST') &&
    'url' in value &&
    typeof value.url === 'string' &&
    URL.canParse(value.url) &&
    'bodyBase64' in value &&
    typeof value.bodyBase64 === 'string' &&
    'headers' in value &&
    typeof value.headers === 'object' &&
    value.headers !== null
  )
}

function forgetOldest(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
  if (files.length <= KEPT_MAX) return
  const byAge = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((one, other) => one.at - other.at)
  for (const { file } of byAge.slice(0, files.length - KEPT_MAX)) rmSync(file, { force: true })
}
