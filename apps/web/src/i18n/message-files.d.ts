// What `compiledMessages` makes of a catalogue.
type SomeMessages = Partial<import('./message-catalogue.ts').Messages>

declare module '*.json?part=first' {
  const messages: SomeMessages
  export default messages
}
declare module '*.json?part=trading' {
  const messages: SomeMessages
  export default messages
}
declare module '*.json?part=payments' {
  const messages: SomeMessages
  export default messages
}
declare module '*.json?part=reading' {
  const messages: SomeMessages
  export default messages
}
declare module '*.json?part=own' {
  const messages: SomeMessages
  export default messages
}
