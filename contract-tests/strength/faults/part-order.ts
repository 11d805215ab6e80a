import type { DrillPart } from './drill-parts.ts'
import type { Fault, Group } from './fault.ts'

// The right part finds most faults at once: a drill is as long as its wrong first choices.

/** The part responsible for each group. */
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

/** The parts that can see a fault, the responsible one first. */
export function inOrder(parts: readonly DrillPart[], fault: Fault): readonly DrillPart[] {
  const order = [...FIRST[fault.group], ...THEN]
  const place = ({ name }: DrillPart): number => (order.includes(name) ? order.indexOf(name) : order.length)
  return parts.filter((part) => part.reaches(fault)).toSorted((one, other) => place(one) - place(other))
}
