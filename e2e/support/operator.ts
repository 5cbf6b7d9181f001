import { expect } from '@playwright/test'
import type { OperatorCommand } from '@fairlot/core'
import type { ServerProcess } from '../../testing/server-process.ts'

/** A program that starts the server with an operator at its standard input. */
export const OPERATED = 'e2e/support/operated-server.ts'

/** What it prints once a command has taken effect. */
export const COMMAND_DONE = 'The operator was heard.'

/** What an operator may do; the market clock gives the time, the server the name. */
export type OperatorOrder = OperatorCommand extends infer Each
  ? Each extends OperatorCommand
    ? Omit<Each, 'at' | 'by'>
    : never
  : never

const heard = (server: ServerProcess): number => server.output().split(COMMAND_DONE).length - 1

/** Does as an operator does, and waits until it is in force. The server must be an `OPERATED` one. */
export async function operate(server: ServerProcess, order: OperatorOrder): Promise<void> {
  const before = heard(server)
  server.say(JSON.stringify(order))
  await expect.poll(() => heard(server)).toBe(before + 1)
}
