import { expect } from 'vitest'
import type { RawReply } from './requests.ts'

/** A refusal in the envelope of the contract: these words and this status, no data, and an id to ask for. */
export function expectError(reply: RawReply, status: number, message: string): void {
  expect(reply.body).toEqual({ code: status, status: 'error', message, data: {} })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/)
}
