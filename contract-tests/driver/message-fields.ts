import { fieldsOf, type Fields } from '../harness/json.ts'
import type { Message } from './merchant-server.ts'

const FINAL = ['COMPLETED', 'FAILED', 'CANCELLED']

export const isFinal = ({ transaction_status }: Fields): boolean => FINAL.includes(String(transaction_status))
/** The first value of a header; empty when there is none. */
export const headerOf = ({ headers }: Pick<Message, 'headers'>, name: string): string => headers[name]?.[0] ?? ''
export const payloadOf = ({ json }: Pick<Message, 'json'>): Fields => fieldsOf(fieldsOf(json).payload)
