import { expect, test } from 'vitest'
import { FAILOVER_FAULTS } from './faults.ts'
import { asArguments, readOptions, type FailoverOptions } from './options.ts'
import { drawFaults } from './plan.ts'

const read = (...args: readonly string[]): FailoverOptions => {
  const options = readOptions(args, () => 7_000_042)
  if (typeof options === 'string') throw new Error('this asks for help')
  return options
}

test('without arguments: 28 faults, each kind twice, through HAProxy, a seed from time', () => {
  expect(read()).toEqual({ kinds: FAILOVER_FAULTS, faults: 28, rate: 12, seed: 42, hosts: false, keep: false })
})

test('the printed command to repeat a run parses to the same options', () => {
  for (const options of [read(), read('--kinds', 'leader-frozen,etcd', '--hosts')])
    expect(read(...asArguments(options))).toEqual(options)
})

test('refuses unknown options by name', () => {
  expect(() => read('--kinds', 'etcd,comet')).toThrow('there is no kind comet')
  expect(() => read('--faults', 'many')).toThrow('--faults must be a whole number, not many')
  expect(() => read('--rate', '0')).toThrow('--rate must be 1 or more')
})

test('the help names every kind', () => {
  const help = readOptions(['--help'])
  for (const { name } of FAILOVER_FAULTS) expect(help).toContain(` ${name} `)
})

test('no kind repeats before all have run, and a seed repeats its order', () => {
  const kinds = ['one', 'two', 'three', 'four']
  const drawn = drawFaults(kinds, 10, 5)
  expect(drawn).toHaveLength(10)
  for (const from of [0, 4]) expect(drawn.slice(from, from + 4).toSorted()).toEqual(kinds.toSorted())
  expect(drawFaults(kinds, 10, 5)).toEqual(drawn)
  const orders = new Set(Array.from({ length: 20 }, (_, seed) => drawFaults(kinds, 4, seed).join()))
  expect(orders.size).toBeGreaterThan(1)
})
