import { isObject } from '../../../openapi/reading/json.ts'
import type { Message } from './server.ts'

/** A transaction as sent on the wire, or the query of a redirect. */
export type Fields = Readonly<Record<string, unknown>>

const FINAL = ['COMPLETED', 'FAILED', 'CANCELLED']

export const isFinal = ({ transaction_status }: Fields): boolean => FINAL.includes(String(transaction_status))
/** The first value of a header; empty when there is none. */
export const headerOf = ({ headers }: Pick<Message, 'headers'>, name: string): string => headers[name]?.[0] ?? ''
export const payloadOf = ({ json }: Pick<Message, 'json'>): Fields =>
  isObject(json) && isObject(json.payload) ? json.payload : {}
