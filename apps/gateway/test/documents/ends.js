// A thread that ends without a word.
process.exit(0);
