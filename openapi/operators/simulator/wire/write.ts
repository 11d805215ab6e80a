import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { patched } from '../json.ts'
import type { OperatorReply } from '../operator.ts'
import type { Moment, WireEffect } from '../scenarios/effects.ts'

/** A scenario's replacement for a reply. `undefined`: no reply. */
export interface WriteResult {
  readonly reply: OperatorReply | undefined
  readonly write: (response: ServerResponse) => Promise<void>
}

const GATEWAY_PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'

/** Writes a reply without effects. */
export const plainly = (reply: OperatorReply): WriteResult => ({
  reply,
  write: async (response) => {
    const body = bodyOf(reply)
    response.writeHead(reply.status, headersOf(reply, body)).end(body)
  },
})

/**
 * Before or after the operator processes the request.
 * @returns undefined for effects that do not decide that: they change the reply
 */
export function momentOf(effect: WireEffect): Moment | undefined {
  if (effect.do === 'refuse' || effect.do === 'unauthorized') return 'before'
  return 'when' in effect || isAlone(effect) ? (effect.when ?? 'before') : undefined
}

type StandaloneEffect = Extract<WireEffect, { do: 'hang' | 'close' | 'empty' | 'html' | 'answer' }>

const isAlone = (effect: WireEffect): effect is StandaloneEffect =>
  ['hang', 'close', 'empty', 'html', 'answer'].includes(effect.do)

/** Replacements for any reply, or for this one. */
export function instead(effect: StandaloneEffect): WriteResult {
  switch (effect.do) {
    case 'hang':
      // The client's time-out ends it.
      return { reply: undefined, write: (response) => closedBy(response) }
    case 'close':
      return { reply: undefined, write: async (response) => void response.destroy() }
    case 'empty':
      return plainly({ status: effect.status ?? 200 })
    case 'html':
      return plainly({ status: effect.status ?? 502, body: GATEWAY_PAGE, contentType: 'text/html' })
    case 'answer':
      return plainly({
        status: effect.status,
        body: effect.body,
        ...(effect.content_type && { contentType: effect.content_type }),
      })
  }
}

/** A correct reply, changed. */
export function changed(effect: Exclude<WireEffect, StandaloneEffect>, reply: OperatorReply): WriteResult {
  switch (effect.do) {
    case 'lie':
      return plainly({ ...reply, body: patched(reply.body, effect.set) })
    case 'delay':
      return {
        reply,
        write: async (response) => {
          await setTimeout(effect.ms)
          if (!response.destroyed) await plainly(reply).write(response)
        },
      }
    case 'truncate':
      return { reply, write: (response) => truncated(response, reply, effect.bytes) }
    case 'drip':
      return { reply, write: (response) => dripped(response, reply, effect.ms_per_byte) }
    case 'refuse':
    case 'unauthorized':
      return plainly(reply)
  }
}

/** One effect on one reply. */
export const applied = (effect: WireEffect, reply: OperatorReply): WriteResult =>
  isAlone(effect) ? instead(effect) : changed(effect, reply)

const closedBy = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.once('close', resolve)
  })

async function truncated(response: ServerResponse, reply: OperatorReply, bytes: number | undefined): Promise<void> {
  const body = bodyOf(reply)
  response.writeHead(reply.status, headersOf(reply, body))
  await new Promise((resolve) => response.write(body.subarray(0, bytes ?? Math.floor(body.length / 2)), resolve))
  response.destroy()
}

async function dripped(response: ServerResponse, reply: OperatorReply, msPerByte: number): Promise<void> {
  const body = bodyOf(reply)
  response.writeHead(reply.status, headersOf(reply, body))
  response.flushHeaders()
  for (const byte of body) {
    if (response.destroyed) return
    await setTimeout(msPerByte)
    response.write(Buffer.of(byte))
  }
  response.end()
}

/** The bytes of a reply. */
export function bodyOf({ body, contentType }: OperatorReply): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  const isText = typeof body === 'string' && contentType !== undefined && !contentType.includes('json')
  return Buffer.from(isText ? body : JSON.stringify(body))
}

/** @param bytes those of `bodyOf` */
export const headersOf = ({ body, contentType, allow }: OperatorReply, bytes: Buffer): Record<string, string> => ({
  ...(allow && { allow: allow.join(', ') }),
  ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
  'content-length': String(bytes.length),
})
