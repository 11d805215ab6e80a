import { PACKAGES, type UserPackage } from '../../../openapi/packages.ts'

/** Where images are pushed to. Nothing is published there yet. */
export const REGISTRY = 'ghcr.io/malipo'

/** Nobody: the user of each image. */
export const USER = 65_532

/** An image: one of our packages, with Node, on Debian's libraries. */
export interface ImageRow {
  readonly name: string
  readonly title: string
  readonly package: string
  /** Of the package. */
  readonly program: string
  readonly nodeOptions: readonly string[]
  /** What is always given to the program, and what it gets unless the user says otherwise. */
  readonly fixed: readonly string[]
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly ports: readonly number[]
  /** Folders that belong to the user. The first is where it starts, and a volume. */
  readonly folders: readonly string[]
  /** A script for Node that ends with 0 when it is well. */
  readonly health?: string
}

/** The API answers at PORT, a worker at the port of its metrics. */
const IS_LIVE = `Promise.any([process.env.PORT, process.env.MALIPO_METRICS_PORT].filter(Boolean).map(async (port) => {
  if (!(await fetch('http://127.0.0.1:' + port + '/health/live')).ok) throw port
})).catch(() => process.exit(1))`.replaceAll(/\n\s*/g, ' ')

export const IMAGES: readonly ImageRow[] = [
  {
    name: 'gateway',
    title: 'Malipo, a self-hosted payment gateway',
    package: '@malipo/gateway',
    program: 'bin/malipo.cjs',
    nodeOptions: ['--disable-sigusr1', '--max-semi-space-size=8', '--heap-growing-percent=45'],
    fixed: [],
    command: ['serve'],
    // What reaches a port from outside is up to whoever starts it.
    env: {
      NODE_ENV: 'production',
      PORT: '8080',
      HOST: '0.0.0.0',
      MALIPO_ADMIN_HOST: '0.0.0.0',
      MALIPO_CONSOLE_HOST: '0.0.0.0',
      MALIPO_DATA_DIR: '/data',
    },
    ports: [8080],
    // Compose and Kubernetes keep operators' messages in the second.
    folders: ['data', 'var/lib/malipo'],
    health: IS_LIVE,
  },
  {
    name: 'operators',
    title: 'Simulators of mobile money operators',
    package: '@malipo/operators',
    program: 'dist/openapi/operators/simulator/cli.js',
    nodeOptions: [],
    fixed: ['--host', '0.0.0.0'],
    command: ['mtn-momo'],
    env: { NODE_ENV: 'production' },
    ports: [9101],
    folders: ['data'],
  },
  {
    name: 'contract-tests',
    title: 'Tests of any server against its OpenAPI contract',
    package: '@malipo/contract-tests',
    // No Python: the part that needs it says so, and the others run.
    program: 'bin/malipo-contract-tests.cjs',
    nodeOptions: [],
    fixed: [],
    command: [],
    env: { NODE_ENV: 'production' },
    ports: [],
    folders: ['data'],
  },
]

/** @throws Error when it is not one of ours */
export function packageOf({ package: name }: ImageRow): UserPackage {
  const found = PACKAGES.find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} is no package of ours`)
  return found
}

/** As Go calls an architecture, and as Node and Debian's folders do. */
export interface Platform {
  readonly arch: 'amd64' | 'arm64'
  readonly cpu: 'x64' | 'arm64'
}
export const PLATFORMS: readonly Platform[] = [
  { arch: 'amd64', cpu: 'x64' },
  { arch: 'arm64', cpu: 'arm64' },
]
