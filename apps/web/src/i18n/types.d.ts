import type { Messages } from './message-catalogue.ts'

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
  }
}
