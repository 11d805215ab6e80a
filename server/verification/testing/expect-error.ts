import { expect } from 'vitest'
import type { RawReply } from './requests.ts'

/** An error in the envelope of the contract: this message and this status, no data, and a request id. */
export function expectError(reply: RawReply, status: number, message: string): void {
  expect(reply.body).toEqual({ code: status, status: 'error', message, data: {} })
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/)
}
