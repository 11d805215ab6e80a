import type { DrillPart } from './drill-parts.ts'
import type { Fault, Group } from './fault.ts'

// Most faults are found by the first part that is asked, if it is the right one: a drill is as long as the wrong ones.

/** Who is there for what. */
const FIRST: Readonly<Record<Group, readonly string[]>> = {
  keys: ['declared', 'inputs'],
  requests: ['declared', 'inputs'],
  replies: ['declared'],
  references: ['inputs', 'declared', 'apart'],
  money: ['receiver', 'options', 'model'],
  states: ['receiver', 'model'],
  callbacks: ['receiver'],
  handshake: ['receiver'],
  redirect: ['receiver'],
  bytes: ['wire'],
  merchants: ['apart'],
  options: ['options'],
  limits: ['limits'],
  words: ['declared', 'inputs'],
  outgoing: ['outgoing', 'receiver'],
  incoming: ['inputs', 'declared'],
  currencies: ['options', 'declared'],
  rsa: ['outgoing', 'receiver'],
}
/** Then quick ones. */
const THEN = ['outgoing', 'inputs', 'apart', 'declared', 'options', 'receiver', 'limits', 'workflows', 'mock parity']

/** The parts that can see a fault, the one that is there for it first. */
export function inOrder(parts: readonly DrillPart[], fault: Fault): readonly DrillPart[] {
  const order = [...FIRST[fault.group], ...THEN]
  const place = ({ name }: DrillPart): number => (order.includes(name) ? order.indexOf(name) : order.length)
  return parts.filter((part) => part.reaches(fault)).toSorted((one, other) => place(one) - place(other))
}
