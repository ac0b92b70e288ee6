/** Makes the snapshot of memory for later starts, while the house is already open. Then it ends. */
import { keepSnapshot } from './interpreter.js';

self.onmessage = async ({ data: { version } }) => {
  try {
    await keepSnapshot(version);
  } catch (error) {
    console.warn('No snapshot is kept:', error);
  }
  close();
};
