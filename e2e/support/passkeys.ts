import type { Page } from '@playwright/test'
import type { ServerProcess } from '../../testing/server-process.ts'

/** The same server by its name: browsers offer no passkeys at an address that is a number. */
export const namedUrl = ({ url }: Pick<ServerProcess, 'url'>): string => url.replace('127.0.0.1', 'localhost')

/** The device of a page, made of software: it unlocks by itself. */
export type PasskeyDevice = {
  /** The device is lost, and another one, without passkeys, takes its place. */
  lose(): Promise<void>
}

/** Gives a page a device that keeps passkeys. */
export async function addPasskeyDevice(page: Page): Promise<PasskeyDevice> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    lose: async () => void (await devtools.send('WebAuthn.clearCredentials', { authenticatorId })),
  }
}
