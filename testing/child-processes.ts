import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that this run has started or created. All of it is removed when the run ends, however it ends. */
const processes = new Set<ChildProcess>()
const folders: string[] = []
const mounts: string[] = []

process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => endBy(signal))

function endBy(signal: string): never {
  console.error(`Ended by ${signal}.`)
  process.exit(130)
}

/** Lets the system end a child with its parent, where possible, in case we are killed ourselves. */
const [WITH_US, ...WITH_US_ARGS] = findParentDeath()

function findParentDeath(): string[] {
  const args = ['--pdeathsig', 'KILL']
  return spawnSync('setpriv', [...args, 'true']).status === 0 ? ['setpriv', ...args] : []
}

/** Starts a program that ends with ours. */
export function start(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child =
    WITH_US === undefined
      ? spawn(program, [...args], options)
      : spawn(WITH_US, [...WITH_US_ARGS, program, ...args], options)
  processes.add(child)
  child.once('close', () => processes.delete(child))
  return child
}

/** A temporary folder, for another owner where one is given. */
export function makeFolder(owner: { readonly uid: number; readonly gid: number } | null = null): string {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-own-'))
  folders.push(folder)
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}

/** A small disk in memory; null without the permission to mount one. */
export function mountDisk(megabytes: number): string | null {
  const folder = makeFolder()
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'fairlot-own', folder])
  if (status !== 0) return null
  mounts.push(folder)
  return folder
}

/** Kills a process and all its descendants, as nearly at once as possible. */
export function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return
  for (const each of [pid, ...descendantsOf(pid)]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
}

function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const below = (parent: number): number[] =>
    pairs.flatMap(([own, its]) => (own !== undefined && its === parent ? [own, ...below(own)] : []))
  return below(pid)
}

function endAll(): void {
  for (const child of processes) {
    if (child.exitCode === null && child.signalCode === null) killTree(child)
  }
  for (const folder of mounts) spawnSync('umount', ['-l', folder])
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
