import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cacheFolder, installSchemathesis, lockedVersion } from './install.ts'
import { findPython, pythonCommands, pythonIn } from './python.ts'

test('finds Python by launcher on Windows, by name elsewhere, newest first', () => {
  expect(pythonCommands('win32').slice(0, 2)).toEqual([
    ['py', '-3.14'],
    ['py', '-3.13'],
  ])
  expect(pythonCommands('linux').slice(0, 2)).toEqual([['python3.14'], ['python3.13']])
  for (const platform of ['win32', 'linux'] as const)
    expect(pythonCommands(platform).slice(-3, -2)[0]?.join(' ')).toMatch(/3\.10$/)
})

test('finds the program of a virtual environment on every platform', () => {
  expect(pythonIn('env', 'win32')).toBe(join('env', 'Scripts', 'python.exe'))
  expect(pythonIn('env', 'darwin')).toBe(join('env', 'bin', 'python'))
})

test('says why it is not installed into a folder that cannot be written', async (context) => {
  const python = 'python3'
  if (!(await findPython(python, process.env))) return context.skip('no Python is installed')
  const cacheDir = join(fileURLToPath(import.meta.url), 'cache')
  expect(await installSchemathesis({ python, cacheDir, env: process.env, log: () => undefined })).toEqual({
    unavailable: `${cacheDir} cannot be written (ENOTDIR): set XDG_CACHE_HOME`,
  })
})

test("uses the platform's cache folder", () => {
  expect(cacheFolder({ LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' }, 'win32')).toBe(
    join('C:\\Users\\me\\AppData\\Local', 'schemathesis-runner'),
  )
  expect(cacheFolder({ XDG_CACHE_HOME: '/cache', LOCALAPPDATA: 'C:\\' }, 'linux')).toBe('/cache/schemathesis-runner')
  expect(cacheFolder({ HOME: '/home/me' }, 'darwin')).toBe('/home/me/.cache/schemathesis-runner')
  expect(cacheFolder({}, 'linux')).toBe(join(homedir(), '.cache', 'schemathesis-runner'))
})

test('Python 3.10 gets the last Schemathesis that supports it, later ones the pinned', async () => {
  expect(await lockedVersion('3.10')).toBe('4.30.1')
  expect(await lockedVersion('3.11')).toBe(await lockedVersion('3.14'))
  expect(await lockedVersion()).not.toBe('4.30.1')
})
