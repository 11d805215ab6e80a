import type { components } from '../../generated/sandbox.d.ts'

/** What simulated customers of a merchant do, and what becomes of its callbacks. */
export type Scenario = components['schemas']['Scenario']

/** The scenario of a merchant, as the sandbox understood it. */
export interface LoadedScenario {
  /** The merchant's public key. */
  readonly merchant: string
  readonly scenario: Scenario
  /** How many orders each rule of `payments` has met. */
  readonly orders: readonly number[]
}

/** The clock of a sandbox: real time, and what it has been advanced by. */
export interface SandboxClock {
  readonly now: Date
  readonly realNow: Date
  readonly aheadMs: number
}

/** Options of `advanceClock`. */
export interface AdvanceOptions {
  /** How long the sandbox may take, in seconds: up to 240; 60 if absent. */
  readonly timeoutSeconds?: number | undefined
}

/** A callback as the sandbox's inbox received it. */
export interface ReceivedCallback {
  readonly webhookId: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** 2 for the second delivery of the same `webhookId`, and so on. */
  readonly delivery: number
}

/** Options of `waitForCallback`. */
export interface CallbackWait {
  /** Which one, such as `transaction.completed`; the first if absent. */
  readonly event?: string | undefined
  /** In milliseconds; 10 seconds if absent. */
  readonly timeoutMs?: number | undefined
}

/** A running sandbox, for tests of your side: its clock, scenarios, and what its inbox received. */
export interface Sandbox {
  readonly url: string
  clock(): Promise<SandboxClock>
  /**
   * Advances the clock, and resolves when everything that was due until then is done, callbacks included, each at its
   * own time and in order. Timestamps of webhooks stay those of real time.
   *
   * @param by a duration such as `90s`, `1h30m` or `7d`, a year at most; or the time to advance to: one that has come
   *   changes nothing
   * @throws SandboxError with `due` when it takes longer than its time-out: the clock stands at the last due time
   */
  advanceClock(by: string | Date, options?: AdvanceOptions): Promise<SandboxClock>
  /**
   * Replaces the scenario of its `merchant`, which is the demo merchant if absent; without one, test numbers decide.
   *
   * @param scenario or its text, in YAML or JSON
   * @throws SandboxError that says what is wrong with it
   */
  loadScenario(scenario: Scenario | string): Promise<LoadedScenario>
  /** The scenario of the merchant with this public key; the demo merchant's if absent. */
  scenario(merchant?: string): Promise<LoadedScenario>
  /** Lets test numbers decide again. */
  removeScenario(merchant?: string): Promise<void>
  /**
   * Resolves to the newest callback about this merchant or internal reference that the inbox received.
   *
   * @throws SandboxError when none comes in time
   */
  waitForCallback(reference: string, wait?: CallbackWait): Promise<ReceivedCallback>
}

/** A sandbox refused a request, did not answer, or is none. */
export class SandboxError extends Error {
  override name = 'SandboxError'
  /** How many jobs of each kind still were due, where a time-out was reached. */
  readonly due: Readonly<Record<string, number>> | undefined

  constructor(message: string, options?: { cause?: unknown; due?: Readonly<Record<string, number>> }) {
    super(message, options)
    this.due = options?.due
  }
}

const POLL_MS = 100
const TIMEOUT_MS = 10_000

/**
 * A sandbox that runs already.
 *
 * @param url `http://127.0.0.1:8080` if absent
 * @example
 * ```ts
 * import { attachSandbox } from '@malipo/client/testing'
 *
 * const sandbox = attachSandbox()
 * await malipo.collections.initialize({ ...order, merchant_reference: 'ORDER-2026-0001', msisdn: '256772000010' })
 * await sandbox.advanceClock('60s')
 * const { body } = await sandbox.waitForCallback('ORDER-2026-0001')
 * ```
 */
export function attachSandbox(url: string | URL = 'http://127.0.0.1:8080'): Sandbox {
  const base = new URL(url).href.replace(/\/$/, '')
  const request = (path: string, sent?: ChangeRequest) => sandboxRequest(base, path, sent)
  const find = async (reference: string, event: string | undefined) => {
    const { messages } = await request(`/sandbox/inbox?reference=${encodeURIComponent(reference)}`)
    const found = (Array.isArray(messages) ? (messages as WireMessage[]) : []).find(
      (message) => message.kind === 'callback' && (event === undefined || message.event === event),
    )
    return found && callbackOf(found.body_complete ? found : await request(`/sandbox/inbox/${found.id}`))
  }
  return {
    url: base,
    clock: async () => clockOf(await request('/sandbox/clock')),
    async advanceClock(by, { timeoutSeconds = 60 } = {}) {
      const to = by instanceof Date ? { to: by.toISOString() } : { by }
      const wire = await request('/sandbox/clock/advance', {
        method: 'POST',
        body: JSON.stringify({ ...to, timeout_seconds: timeoutSeconds }),
        timeoutMs: (timeoutSeconds + 10) * 1000,
      })
      const clock = clockOf(wire)
      if (wire.finished === true) return clock
      const due = { ...(wire.due as Record<string, number>) }
      const what = Object.entries(due).map(([kind, count]) => `${kind} (${count})`)
      throw new SandboxError(
        `the clock stands at ${clock.now.toISOString()} after ${timeoutSeconds} s, on its way: the same advance goes on${what.length > 0 ? `; due: ${what.join(', ')}` : ''}`,
        { due },
      )
    },
    loadScenario: async (scenario) => {
      const isText = typeof scenario === 'string'
      const body = isText ? scenario : JSON.stringify(scenario)
      return loadedOf(
        await request('/sandbox/scenario', { method: 'PUT', body, type: isText ? 'application/yaml' : undefined }),
      )
    },
    scenario: async (merchant) => loadedOf(await request(scenarioPath(merchant))),
    async removeScenario(merchant) {
      await request(scenarioPath(merchant), { method: 'DELETE' })
    },
    async waitForCallback(reference, { event, timeoutMs = TIMEOUT_MS } = {}) {
      const until = performance.now() + timeoutMs
      for (;;) {
        const found = await find(reference, event)
        if (found) return found
        if (performance.now() > until)
          throw new SandboxError(
            `the inbox received no ${event ?? 'callback'} about ${reference} within ${timeoutMs} ms`,
          )
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
  }
}

const scenarioPath = (merchant: string | undefined): string =>
  `/sandbox/scenario${merchant === undefined ? '' : `?merchant=${encodeURIComponent(merchant)}`}`

const loadedOf = (wire: object): LoadedScenario => {
  const { merchant, scenario, orders } = wire as components['schemas']['LoadedScenario']
  return { merchant, scenario, orders }
}

interface WireMessage {
  readonly id: number
  readonly kind: string
  readonly event: string | null
  readonly body_complete: boolean
}

interface ChangeRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly body?: string
  /** JSON if absent. */
  readonly type?: string | undefined
  readonly timeoutMs?: number
}

/**
 * Sends a request to a sandbox, and returns its JSON.
 *
 * @throws SandboxError
 */
async function sandboxRequest(base: string, path: string, sent?: ChangeRequest): Promise<Record<string, unknown>> {
  const { method = 'GET', body, type = 'application/json', timeoutMs = TIMEOUT_MS } = sent ?? {}
  const init = {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }) },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body }),
  }
  const response = await fetch(base + path, init).catch((cause: unknown) => {
    throw new SandboxError(`${base} does not answer: is a sandbox running there?`, { cause })
  })
  const text = await response.text()
  const reply = response.status === 204 ? {} : jsonIn(text)
  if (response.ok && reply) return reply
  const why = typeof reply?.message === 'string' ? reply.message : undefined
  throw new SandboxError(why ?? `${base} answers ${response.status} to ${path}: is it a Malipo in sandbox mode?`)
}

function jsonIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const clockOf = (wire: Record<string, unknown>): SandboxClock => ({
  now: new Date(String(wire.now)),
  realNow: new Date(String(wire.real_now)),
  aheadMs: Number(wire.ahead_ms),
})

const callbackOf = (wire: object): ReceivedCallback => {
  const { webhook_id, headers, body, delivery } = wire as Record<string, unknown>
  return {
    webhookId: String(webhook_id),
    headers: { ...(headers as Record<string, string>) },
    body: String(body),
    delivery: Number(delivery),
  }
}
