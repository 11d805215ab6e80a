import { expect, test } from 'vitest'
import { filterArguments, filterOf } from './filters.ts'

test('a filter without a kind is an operationId; filters of one kind add up', () => {
  const filter = filterOf(['addThing', 'listThings', 'tag=books', 'path-regex=^/v1/[a=z]'])
  expect(filter).toEqual({
    'operation-id': ['addThing', 'listThings'],
    tag: ['books'],
    'path-regex': '^/v1/[a=z]',
  })
  expect(filterArguments('exclude', filter)).toEqual([
    '--exclude-operation-id=addThing',
    '--exclude-operation-id=listThings',
    '--exclude-tag=books',
    '--exclude-path-regex=^/v1/[a=z]',
  ])
  expect(filterOf(['name=GET /things'])).toEqual({ name: ['GET /things'] })
  expect(filterArguments('include')).toEqual([])
})

test('reports an unknown kind and a second regular expression', () => {
  expect(() => filterOf(['colour=red'])).toThrow('operations have no colour, only name, name-regex')
  expect(() => filterOf(['tag-regex=a', 'tag-regex=b'])).toThrow('tag-regex can be given once')
})
