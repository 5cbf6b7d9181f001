import type { Deployment } from './deployment.ts'
import { createOutbox } from './notifications/outbox.ts'
import { createSmsSender } from './notifications/sms-sender.ts'
import { createSmtpSender } from './notifications/smtp-sender.ts'

/** The outbox, and what takes its messages away where the deployment has it. */
export function openMail({ config, database, wallClock, onError }: Deployment) {
  const smtp = config.smtpUrl === null ? null : createSmtpSender(config.smtpUrl, config.mailFrom)
  const senders = {
    email: smtp?.send ?? null,
    sms: config.smsUrl === null ? null : createSmsSender(config.smsUrl),
  }
  const outbox = createOutbox({ queries: database.queries, senders, now: wallClock, onError })
  const stop = async () => {
    await outbox.stop()
    smtp?.close()
  }
  return { outbox, stop }
}
