import { createPublicKey, type KeyObject } from 'node:crypto'
import type { ObservedExchange } from '../observed-exchange.ts'
import { KEY_BY_ID, rsaKeyIn } from './pem.ts'

/** The keys that a server serves by their ids; `none` for an id that it does not know. */
export type ServedKeys = Map<string, KeyObject | 'none'>

/** @returns the id of a key that this reply serves, or refuses */
export function noteKey(keys: ServedKeys, { direction, path, exchange }: ObservedExchange): string | undefined {
  const id = KEY_BY_ID.exec(path)?.[1]
  const { status, body } = exchange.reply
  if (id === undefined || direction !== 'asked' || exchange.request.method !== 'GET') return undefined
  const pem = body.toString('latin1')
  if (status === 200 && typeof rsaKeyIn(pem) !== 'string') keys.set(id, createPublicKey(pem))
  else if (status === 404 && !keys.has(id)) keys.set(id, 'none')
  return keys.has(id) ? id : undefined
}
