// The emulator without a face was made for Node and looks for a window where there is no process. Imported before it.
Object.assign(globalThis, { window: globalThis });
