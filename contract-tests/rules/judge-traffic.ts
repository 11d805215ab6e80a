import type { Contract } from '../../openapi/reading/contract.ts'
import type { Direction } from '../harness/coverage/exchange.ts'
import { curlLine, type Redact } from '../harness/curl.ts'
import { beginPart, type Finding, type PartResult } from '../harness/part.ts'
import type { Exchange } from '../harness/proxy.ts'
import { createReader, type Fault, type ObservedExchange } from './observed-exchange.ts'
import { isNotJudged, type Judging, type RecordedServer, type Rule } from './rule.ts'
import { hiding, secretsOf } from './secrets/known-secrets.ts'

/** Places that are remembered of one defect. */
const PLACES_MAX = 1_000

/** Name of its row in the results. */
export const RULES_ROW = 'rules'

/** A server whose traffic is judged from now on. @param url the address that curl lines use */
export type JudgedServer = Pick<RecordedServer, 'accounts' | 'sandbox' | 'isOnlyUser'> & { readonly url: string }

/** Judges the traffic of one server. */
export interface ServerJudge {
  record(exchange: Exchange, direction: Direction): void
  /** Says whether everything is recorded from now on that moves the merchants' money; it is at first. */
  whole(isWhole: boolean): void
}

/** Judges the traffic of all parts; what it is told itself is about the latest server. */
export interface TrafficJudge extends ServerJudge {
  /** Begins with another server; those before it may go on. */
  server(server: JudgedServer): ServerJudge
  /** Undefined when there was no traffic. */
  result(): PartResult | undefined
}

export interface TrafficJudgeOptions {
  readonly contract: Contract
  readonly rules: readonly Rule[]
  /** Whether every `server` is the same one; gateways of our own are new ones that start over. */
  readonly isOneServer: boolean
  /** Where an exchange is recorded; a finding then names it, in place of a line that repeats the request. */
  readonly placeOf?: (exchange: Exchange) => string
}

/** A server with the rules that are at work on it. */
interface Server {
  readonly url: string
  readonly hide: Redact
  readonly rules: readonly (Judging & Pick<Rule, 'name'>)[]
}

/** Holds the rules over the recorded traffic of one run. A defect is one finding, whichever exchange shows it first. */
export function createTrafficJudge({ contract, rules, isOneServer, placeOf }: TrafficJudgeOptions): TrafficJudge {
  const { done } = beginPart(RULES_ROW)
  const read = createReader(contract)
  const defects = createDefects(placeOf)
  const verdicts = createVerdicts()
  const servers: Server[] = []
  let cases = 0
  let checks = 0

  const end = (server: Server): void => {
    for (const { name, end: atEnd } of server.rules) {
      const faults = atEnd?.() ?? []
      if (isNotJudged(faults)) verdicts.lacks(name, faults.notJudged)
      else {
        verdicts.judges(name)
        for (const fault of faults) defects.note(server, name, fault)
      }
    }
  }
  const judgeOf = (server: Server): ServerJudge => ({
    record(exchange, direction) {
      const seen = read(exchange, direction)
      cases += 1
      for (const { name, each } of server.rules) {
        if (!each) continue
        checks += 1
        for (const fault of each(seen)) defects.note(server, name, fault, fault.seen ?? seen)
      }
    },
    whole(isWhole) {
      for (const { name, whole } of server.rules)
        for (const fault of whole?.(isWhole) ?? []) defects.note(server, name, fault)
    },
  })
  let latest: ServerJudge | undefined
  return {
    server({ url, ...server }) {
      if (latest && isOneServer) return latest
      const hide = hiding(secretsOf(...server.accounts))
      const begun = { url, hide, rules: startRules(rules, verdicts, { contract, isOneServer, ...server }) }
      servers.push(begun)
      return (latest = judgeOf(begun))
    },
    record: (exchange, direction) => latest?.record(exchange, direction),
    whole: (isWhole) => latest?.whole(isWhole),
    result() {
      if (cases === 0) return undefined
      servers.forEach(end)
      const reason = verdicts.reason()
      return done({
        cases,
        checks,
        findings: defects.findings(),
        rules: rules.map(({ name }) => name),
        ...(reason !== '' && { reason }),
      })
    },
  }
}

const startRules = (
  rules: readonly Rule[],
  verdicts: ReturnType<typeof createVerdicts>,
  server: RecordedServer,
): Server['rules'] =>
  rules.flatMap(({ name, judging }) => {
    const work = judging(server)
    if (!isNotJudged(work)) return [{ name, ...work }]
    verdicts.lacks(name, work.notJudged)
    return []
  })

/** Which rules judged nothing. What one gateway of a run does not show, another one may. */
function createVerdicts() {
  const lacking = new Map<string, string>()
  const judged = new Set<string>()
  return {
    lacks: (name: string, why: string): void => void lacking.set(name, why),
    judges: (name: string): void => void judged.add(name),
    reason: (): string =>
      [...lacking].flatMap(([name, why]) => (judged.has(name) ? [] : [`not judged: ${name}, ${why}`])).join('; '),
  }
}

interface Defect {
  readonly finding: Finding
  /** Where else it was recorded, and how often. */
  readonly others: Map<string, number>
}

/** What the rules have found so far: each defect once, with its other places. */
function createDefects(placeOf: TrafficJudgeOptions['placeOf']) {
  const found = new Map<string, Defect>()
  const lineOf = (server: Server, { direction, exchange }: ObservedExchange): string | undefined =>
    direction === 'asked' ? curlLine(server, exchange.request) : undefined
  return {
    note(server: Server, name: string, { rule, what, about }: Fault, seen?: ObservedExchange): void {
      const subject = about ?? seen?.operation?.id ?? RULES_ROW
      const place = seen && placeOf?.(seen.exchange)
      const known = found.get(rule)
      if (known) {
        const other = place ?? subject
        if (known.others.size < PLACES_MAX) known.others.set(other, (known.others.get(other) ?? 0) + 1)
        return
      }
      const curl = seen && place === undefined ? lineOf(server, seen) : undefined
      const finding: Finding = {
        about: subject,
        rule: name,
        what: server.hide(place === undefined ? what : `${what} (${place})`),
        ...(curl !== undefined && { curl }),
      }
      found.set(rule, { finding, others: new Map() })
    },
    findings: (): Finding[] =>
      [...found.values()].map(({ finding, others }) => {
        const also = [...others].map(([place, count]) => (count === 1 ? place : `${place}, ${count} times`))
        return also.length === 0 ? finding : { ...finding, also }
      }),
  }
}
