import { spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { killTree, makeFolder, start } from './child-processes.ts'
import { pause } from './wait.ts'

const VERSIONS = '/usr/lib/postgresql'
const READY = 'database system is ready to accept connections'
const START_LIMIT_MS = 20_000
/** Attempts to start: processes of a killed server may hold its folder for a moment. */
const START_TRIES = 20

/** Why this machine cannot run its own PostgreSQL. */
export class PostgresImpossible extends Error {}

/** A PostgreSQL server of this run alone. */
export type OwnPostgres = {
  /** The address of its own database, for a user who may do everything. */
  readonly url: string
  /** The address of a new, empty database. */
  createDatabase(name: string): Promise<string>
  /** Kills all its processes at once. */
  kill(): Promise<void>
  /** Restarts it on the same folder and port; resolves once the process runs, before it accepts connections. */
  startAgain(): void
  /** Resolves once it accepts connections. */
  ready(): Promise<void>
  /** Ends every connection except ours. */
  cutConnections(): Promise<void>
}

type Owner = { readonly uid: number; readonly gid: number }

/**
 * Creates a database cluster in a temporary folder and starts it on a free port; it ends with this process. Installs
 * PostgreSQL first where that is possible (root on Debian). Throws `PostgresImpossible`.
 */
export async function startPostgres(): Promise<OwnPostgres> {
  const binaries = findBinaries()
  const owner = findOwner()
  const folder = makeFolder(owner)
  const data = join(folder, 'data')
  initialise(binaries, data, owner)
  const port = await freePort()
  const url = (name: string) => `postgres://fairlot@127.0.0.1:${port}/${name}`
  let running = launch(binaries, data, port, owner)
  await running.ready
  return {
    url: url('postgres'),
    createDatabase: async (name) => {
      await query(url('postgres'), `create database ${name} template template0`)
      return url(name)
    },
    kill: async () => {
      const { child } = running
      const ended = new Promise((resolve) => child.once('exit', resolve))
      killTree(child)
      await ended
    },
    startAgain: () => {
      running = launch(binaries, data, port, owner)
    },
    ready: () => running.ready,
    cutConnections: () =>
      query(
        url('postgres'),
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      ),
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function findBinaries(): string {
  const found = findInstalled() ?? (installPostgres() ? findInstalled() : null)
  if (found === null) throw new PostgresImpossible('No PostgreSQL is installed: initdb was not found.')
  return found
}

function findInstalled(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a)).map((v) => join(VERSIONS, v, 'bin'))
  const places = [...newestFirst, ...(process.env['PATH'] ?? '').split(':')]
  return places.find((place) => ['initdb', 'postgres'].every((name) => existsSync(join(place, name)))) ?? null
}

/** Installs Debian's package, where that is possible. The cluster that comes with it is left alone. */
function installPostgres(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  console.log('No PostgreSQL found: installing it (apt-get) ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const succeeds = (...args: readonly string[]): boolean =>
    spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0
  return succeeds('update') && succeeds('install', '-y', '--no-install-recommends', 'postgresql')
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package, or as nobody. Null: as ourselves. */
function findOwner(): Owner | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new PostgresImpossible('PostgreSQL does not run as root, and there is no ordinary user to run it as.')
}

function initialise(binaries: string, data: string, owner: Owner | null): void {
  const args = ['-D', data, '-U', 'fairlot', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const { status, stderr, error } = spawnSync(join(binaries, 'initdb'), args, {
    ...owner,
    cwd: '/',
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new PostgresImpossible(`A database folder cannot be made: ${error?.message ?? stderr.trim()}`)
}

type Running = { child: ChildProcess; readonly ready: Promise<void> }

function launch(binaries: string, data: string, port: number, owner: Owner | null): Running {
  const settings = [
    'fsync=on',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=32MB',
    'logging_collector=off',
  ]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const launchOnce = () =>
    start(join(binaries, 'postgres'), args, { ...owner, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const running: { child: ChildProcess; ready: Promise<void> } = {
    child: launchOnce(),
    ready: Promise.resolve(),
  }
  const becomeReady = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const problem = await received(running.child)
      if (problem === null) return
      if (attempt >= START_TRIES) throw new Error(`PostgreSQL does not start: ${problem}`)
      await pause(100)
      running.child = launchOnce()
    }
  }
  running.ready = becomeReady()
  running.ready.catch(() => undefined)
  return running
}

/** Null once it reports that it is ready; its output when it ends or reports nothing. */
function received(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    let printed = ''
    const timer = setTimeout(() => resolve(`it said nothing for ${START_LIMIT_MS / 1000} s`), START_LIMIT_MS)
    const end = (verdict: string | null) => {
      clearTimeout(timer)
      resolve(verdict)
    }
    child.once('exit', () => end(printed.trim()))
    child.once('error', (error) => end(error.message))
    child.stderr?.on('data', (chunk) => {
      printed = `${printed}${String(chunk)}`.slice(-4000)
      if (printed.includes(READY)) end(null)
    })
  })
}
