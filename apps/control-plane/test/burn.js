// Keeps a processor busy until it is ended.
for (;;);
