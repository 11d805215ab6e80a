import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { listen } from '../harness/listen.ts'
import { locationOf, readContract } from './read-contract.ts'

const folder = temporaryFolder()
const document = (openapi: string) => ({
  openapi,
  paths: { '/a': { $ref: './paths/a.yaml' }, '/b': { $ref: '#/components/pathItems/b' } },
})
test('a path, also with a Windows drive, is a file; a URL is not', () => {
  expect(locationOf('openapi.yaml')?.href).toBe(pathToFileURL(join(process.cwd(), 'openapi.yaml')).href)
  expect(locationOf('C:\\api\\openapi.yaml')?.protocol).toBe('file:')
  expect(locationOf('file:///C:/api/openapi.yaml')?.href).toBe('file:///C:/api/openapi.yaml')
  expect(locationOf('HTTPS://api.example/openapi')?.href).toBe('https://api.example/openapi')
  expect(locationOf(document('3.1.0'))).toBeUndefined()
})

test.each(['3.0.3', '3.1.1', '3.2.0'])(
  'reads a contract of OpenAPI %s, with its other files in place',
  async (openapi) => {
    const path = folder.written('openapi.json', JSON.stringify(document(openapi)))
    expect(await readContract(path)).toEqual({
      openapi,
      paths: {
        '/a': { $ref: pathToFileURL(join(folder.path, 'paths', 'a.yaml')).href },
        '/b': { $ref: '#/components/pathItems/b' },
      },
    })
    expect(await readContract(document(openapi))).toEqual(document(openapi))
  },
)

test('reports what is no contract of these versions', async () => {
  for (const text of ['[]', '{"swagger":"2.0"}', '{"openapi":"4.0.0"}', '{"openapi":3.1}'])
    await expect(readContract(folder.written('other.json', text))).rejects.toThrow(
      /not an OpenAPI document|cannot be read/,
    )
  await expect(readContract(folder.written('half.json', '{"openapi":'))).rejects.toThrow('the contract cannot be read')
  await expect(readContract(join(folder.path, 'nowhere.json'))).rejects.toThrow('ENOENT')
})

test('fetches a URL and reports its refusal', async () => {
  const server = await listen(
    createServer((request, response) =>
      response.writeHead(request.url === '/openapi' ? 200 : 404).end(JSON.stringify(document('3.1.0'))),
    ),
  )
  expect((await readContract(`${server.url}/openapi`)).paths?.['/a']).toEqual({ $ref: `${server.url}/paths/a.yaml` })
  await expect(readContract(new URL('/other', server.url))).rejects.toThrow(`${server.url}/other answers 404`)
  await server.close()
})

test('YAML is what the parser makes of it', async () => {
  const path = folder.written('openapi.yaml', 'openapi: 3.1.0')
  expect(await readContract(path, async () => document('3.1.0'))).toMatchObject({ openapi: '3.1.0' })
})
